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

test("keeps the text in a dialog when the server returns an error page", async ({ page }) => {
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("Build server");
  await page.route("**/graphql", (route) => route.fulfill({ status: 500, body: "<h1>Internal error</h1>" }));
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(dialog.getByRole("textbox").first()).toHaveValue("Build server");
  expect(new URL(page.url()).pathname).toBe("/personal-access-tokens/");
});

test("shows the offline banner in the schema explorer", async ({ page, context }) => {
  await page.goto("/playground/");
  await expect(page.getByRole("main")).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: BANNER })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
});
