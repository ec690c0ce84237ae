import { expect, test } from "#tests/support/browser.ts";

test("sends a login submitted before the scripts load, and doesn't show it after a sign-out", async ({ page }) => {
  let letScriptsCome = () => {};
  const released = new Promise<void>((resolve) => {
    letScriptsCome = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/login/");
  await page.getByLabel("Username").fill("new@demo.test");
  await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByLabel("Username")).toHaveValue("new@demo.test");
  expect(new URL(page.url()).search).toBe("");
  letScriptsCome();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  const banner = page.getByRole("banner");
  await banner.getByRole("button", { name: "My Account" }).click();
  await banner.getByRole("link", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await banner.getByRole("link", { name: "Login" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  for (const label of ["Username", "Password"]) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
});
