import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";
import {
  createNewPerson,
  expect,
  expectAccessible,
  expectFitsSmallScreens,
  newPersonPassword,
  test,
} from "#tests/support/browser.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const level = (page: Page, name: string) =>
  page.getByRole("radiogroup", { name: "Subscription Level" }).getByRole("radio", { name: new RegExp(`^${name}`) });
const answer = (page: Page, dialog: string, name: string) =>
  page.getByRole("dialog", { name: dialog }).getByRole("button", { name, exact: true }).click();

test("a customer compares prices, subscribes for a year, downloads the tax invoice, changes plan, cancels and resumes", async ({
  page,
}) => {
  const email = await createNewPerson(page);

  // The portal remembers the chosen product and interval during the sign-in.
  await page.goto("/trial-and-subscribe/");
  await press(page, "Yearly");
  await page.getByRole("main").getByRole("link", { name: "Subscribe", exact: true }).first().click();
  await page.getByLabel("Username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(newPersonPassword);
  await press(page, "Login");
  await expect(page.getByRole("heading", { level: 1, name: "Manage Subscription" })).toBeVisible();
  await expect(level(page, "Professional, yearly")).toBeChecked();
  const price = page.getByRole("region", { name: "Price" });
  await expect(price.getByText("Total today")).toBeVisible();
  const readTotal = async () => /A\$[\d,.]+/.exec((await price.locator("strong").textContent()) ?? "")?.[0] ?? "";
  const full = await readTotal();
  await press(page, "I have a promo code");
  await page.getByLabel("Promo Code").fill("welcome10");
  await press(page, "Apply");
  await expect(page.getByText("Promo code has been successfully applied")).toBeVisible();
  await expect(price.locator("s")).toContainText(full);
  const charged = await readTotal();
  await page.getByLabel("Card Number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry Date").fill("12/34");
  await page.getByLabel("CVC").fill("123");
  await page.getByLabel("I acknowledge this notice").check();
  await expectAccessible(page, "the subscribe form");
  await press(page, "Subscribe");
  await expect(page.getByRole("dialog", { name: "Subscribe" })).toContainText(charged);
  await answer(page, "Subscribe", "Yes");
  await expect(page.getByText("Subscription was successful.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Invoices" }).click();
  const invoice = page.getByRole("table", { name: "Tax Invoices" }).getByRole("row").nth(1);
  await expect(invoice).toContainText(charged);
  await expectAccessible(page, "tax invoices");
  const number = (await invoice.getByRole("cell").nth(1).textContent()) ?? "";
  const started = page.waitForEvent("download");
  await press(page, `Download ${number}`);
  const file = await started;
  expect(file.suggestedFilename()).toBe(`Invoice-${number}.pdf`);
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(await file.path())));
  const { text } = await extractText(pdf, { mergePages: true });
  for (const words of ["Tax invoice", number, "Grace Hopper", `Total (AUD) ${charged.replace("A", "")}`])
    expect(text).toContain(words);

  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Billing" }).click();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Professional, yearly" })).toBeVisible();
  await page.getByRole("link", { name: "Change Subscription" }).click();
  await page.getByRole("radiogroup", { name: "Billing interval" }).getByText("Monthly").click();
  await level(page, "Standard, monthly").check();
  await expectAccessible(page, "the form for another plan");
  await press(page, "Submit");
  await expect(page.getByRole("dialog", { name: "Update Subscription" })).toContainText("Nothing is charged now");
  await answer(page, "Update Subscription", "Yes");
  await expect(page.getByText("Planned change")).toBeVisible();
  await expectAccessible(page, "a planned change");
  await press(page, "Keep current plan");
  await expect(page.getByText("Planned change")).toBeHidden();

  await press(page, "Cancel Subscription");
  await expect(page.getByText("Are you sure you wish to cancel your subscription?")).toBeVisible();
  await press(page, "Pause instead");
  await expect(page.getByLabel("Pause until")).toBeVisible();
  await expectAccessible(page, "the cancellation with a pause");
  await expectFitsSmallScreens(page);
  await answer(page, "Cancel Subscription", "Cancel subscription");
  await expect(page.getByText("You have successfully unsubscribed.")).toBeVisible();
  await press(page, "Resume Subscription");
  await expect(page.getByRole("button", { name: "Cancel Subscription" })).toBeVisible();
});
