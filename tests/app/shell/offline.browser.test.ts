import { expect, test } from "@playwright/test";
import { signInAsDemo } from "#tests/support/browser.ts";

const BANNER = "You're offline. We'll reconnect automatically.";

test("opens a dialog requested offline once the network is back", async ({ page, context }) => {
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  const create = page.getByRole("button", { name: "Create token" });
  await expect(create).toBeVisible();
  await context.setOffline(true);
  await create.click();
  await expect(page.getByRole("alert").filter({ hasText: "You're offline. This part of the page" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("shows the offline banner in the schema explorer", async ({ page, context }) => {
  await page.goto("/playground/");
  await expect(page.getByRole("main")).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: BANNER })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
});
