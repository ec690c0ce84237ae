import type { Locator } from "@playwright/test";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test.use({ contextOptions: { forcedColors: "active", reducedMotion: "reduce" } });

/** Asserts that an action changes how an element looks, when Windows replaces all colours with the reader's few. */
async function expectVisibleChange(target: Locator, act: () => Promise<unknown>): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const before = await target.screenshot({ animations: "disabled" });
  await act();
  const isSame = async () => before.equals(await target.screenshot({ animations: "disabled" }));
  await expect.poll(isSame, String(target)).toBe(false);
}

test("shows focus, choices and errors in forced colours", async ({ page }) => {
  await page.goto("/trial-and-subscribe/");
  await page.locator('html[data-taken-over=""]').waitFor({ state: "attached" });
  const interval = page.getByRole("group").filter({ has: page.getByRole("button", { name: "Yearly", exact: true }) });
  await expectVisibleChange(interval.first(), async () => {
    await interval.getByRole("button", { pressed: false }).first().click();
    await page.mouse.move(1, 1);
  });

  await page.goto("/register/");
  const tester = page.getByRole("checkbox", { name: /tester of pre-release/ });
  const row = page.locator("label", { hasText: /tester of pre-release/ }).locator("xpath=../..");
  await expectVisibleChange(row, () => tester.check());
  const submit = page.getByRole("button", { name: "Submit" });
  // The box is larger than the button, because the focus ring is around it.
  await expectVisibleChange(submit.locator("xpath=.."), async () => {
    await submit.focus();
    // Browsers show the focus to those who use the keyboard.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
  });
  await expectVisibleChange(page.getByLabel("First Name").locator("xpath=.."), () => submit.click());
});

test("shows the chosen plan, the open tab and a pressed filter in forced colours", async ({ page }) => {
  await signInAsDemo(page, "ada", "/change-subscription/");
  const level = page.getByRole("radiogroup", { name: "Subscription Level" });
  await expectVisibleChange(level, () => level.getByRole("radio", { checked: false, disabled: false }).first().check());
  await page.goto("/logout/");
  await signInAsDemo(page, "admin", "/admin/manage-users/?q=corinne");
  await page.getByRole("link", { name: "Corinne Portman" }).click();
  const tabs = page.getByRole("tablist");
  await expectVisibleChange(tabs, async () => {
    await page.getByRole("tab", { name: "Comments" }).click();
    await page.mouse.move(1, 1);
  });
  await page.goto("/admin/subscriptions/");
  const filter = page.getByRole("button", { name: "Active", exact: true });
  await expectVisibleChange(filter, async () => {
    await filter.click();
    await page.mouse.move(1, 1);
  });
});
