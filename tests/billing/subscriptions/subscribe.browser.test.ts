import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoHorizontalScroll, signIn, test } from "#tests/support/browser.ts";
import { createCustomer } from "#tests/support/browser-people.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const answer = (page: Page, dialog: string | RegExp, name: string) =>
  page.getByRole("dialog", { name: dialog }).getByRole("button", { name, exact: true }).click();

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card Number").fill(number);
  await page.getByLabel("Expiry Date").fill("12/34");
  await page.getByLabel("CVC").fill("123");
}

test("keeps the form after a declined card and authenticates another card, on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, await createCustomer(page));
  await page.goto("/manage-subscription/xer-professional/");
  const intervals = page.getByRole("radiogroup", { name: "Billing interval" });
  await intervals.getByText(/^Yearly/).click();
  await expect(page.getByRole("radio", { name: /^Professional, yearly/ })).toBeChecked();
  await fillCard(page, "4000 0000 0000 0002");
  await page.getByLabel("I acknowledge this notice").check();
  await press(page, "Subscribe");
  await answer(page, "Subscribe", "Yes");
  await expect(page.getByRole("main").getByText(/^Your card was declined/)).toBeVisible();
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "a declined card");

  await fillCard(page, "4000 0025 0000 3155");
  await press(page, "Subscribe");
  await answer(page, "Subscribe", "Yes");
  await expect(page.getByRole("dialog", { name: "Your bank asks you to confirm this payment" })).toBeVisible();
  await expectAccessible(page, "the bank's authentication");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Your bank has not confirmed the payment yet.", { exact: false })).toBeVisible();
  await expectAccessible(page, "an authentication left open");
  await press(page, "Confirm with your bank");
  await answer(page, /^Your bank asks/, "Confirm");
  await expect(page.getByText("Subscription was successful.")).toBeVisible();
  await page.goto("/manage-subscription/");
  await expect(page.getByText("Next payment", { exact: true })).toBeVisible();
  await expectNoHorizontalScroll(page);
});
