import { expect, test } from "#tests/support/browser.ts";

test("keeps a login submitted before the scripts load and sends it afterwards", async ({ page }) => {
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
});
