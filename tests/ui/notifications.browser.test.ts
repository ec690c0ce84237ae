import type { Page } from "@playwright/test";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

/** Submits the contact form with errors, which shows a notification. */
async function showNotification(page: Page): Promise<void> {
  await page.goto("/contact-us/");
  await expect(page.locator("html")).toHaveAttribute("data-page-ready", "");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You have one or more fields missing" })).toBeVisible();
}

test("doesn't cover the account menu", async ({ page }) => {
  await signInAsDemo(page, "ada");
  await showNotification(page);
  await page.getByRole("banner").getByRole("button", { name: "My Account" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Your data" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your data" })).toBeVisible();
});

test("doesn't cover the mobile menu", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAsDemo(page, "ada");
  await showNotification(page);
  await page.getByRole("banner").getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Your data" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your data" })).toBeVisible();
});
