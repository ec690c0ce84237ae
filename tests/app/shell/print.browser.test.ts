import type { Page } from "@playwright/test";
import { brand } from "#schema/brand.ts";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

/** Returns the text that a page prints. */
async function readPrinted(page: Page): Promise<string> {
  await page.emulateMedia({ media: "print" });
  return page.evaluate(() => document.body.innerText);
}

for (const { account, path, words } of [
  { account: "ada", path: "/my-account/", words: "Licences" },
  { account: "ada", path: "/tax-invoices/", words: "Amount" },
  { account: "ada", path: "/manage-subscription/", words: "Visa ending in" },
  { account: "admin", path: "/admin/manage-users/", words: "Manage Users" },
  { account: "admin", path: "/admin/dashboard/", words: "Active subscriptions" },
])
  test(`prints the content of ${path} and nothing around it`, async ({ page }) => {
    await signInAsDemo(page, account, path);
    await expect(page.getByRole("main").getByText(words).first()).toBeVisible();
    const printed = await readPrinted(page);
    expect(printed).toContain(words);
    expect(printed).not.toContain("Developers");
    expect(printed).not.toContain("Audit Log");
    expect(printed).not.toContain("Logout");
  });

test("prints the content of a public page and the lines about the company", async ({ page }) => {
  await page.goto("/trial-and-subscribe/");
  const printed = await readPrinted(page);
  expect(printed).toContain(`ABN ${brand.company.abn}`);
  expect(printed).not.toContain("Login");
  expect(printed).not.toContain("Resources & Support");
  await expect(page.getByRole("main")).toBeVisible();
});

test("draws the footer before anyone scrolls to it", async ({ page }) => {
  await page.goto("/faqs/");
  const isDrawn = await page
    .getByText(`ABN ${brand.company.abn}`)
    .evaluate((line) => line.checkVisibility({ contentVisibilityAuto: true }));
  expect(isDrawn).toBe(true);
});
