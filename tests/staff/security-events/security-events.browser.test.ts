import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("shows an admin the security events, filters them in the URL, and exports them", async ({ page }) => {
  await page.request.post("/v1/core/auth/token", {
    data: { GrantType: "password", ClientId: "portal", UserName: "ada@demo.test", Password: "Wrong-pass-1" },
  });
  await signInAsDemo(page, "admin", "/admin/security-events/");
  await expect(page.getByRole("heading", { level: 1, name: "Security Events" })).toBeVisible();
  const events = page.getByRole("region", { name: "Events" });
  await expect(events.getByText("Signed in").first()).toBeVisible();

  await page.getByLabel("Event", { exact: true }).selectOption("Sign-in failed");
  await page.getByLabel("User", { exact: true }).fill("ada@demo.test");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/type=sign-in\.failed.*search=ada/);
  await expect(events.getByText("Signed in")).toHaveCount(0);
  await expect(events.getByText("Wrong password").first()).toBeVisible();
  await expectAccessible(page, "the security events");

  await events.getByRole("button", { name: "Details" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Sign-in failed" });
  await expect(dialog.getByText("sign-in.failed")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file).toMatch(/^\uFEFFTime \(.*\),Event,Type,User,By,IP Address,Count,Details,Request\r\n/);
  expect(file).toContain("Sign-in failed,sign-in.failed,");

  await page.reload();
  await expect(page.getByLabel("Event", { exact: true })).toHaveValue("sign-in.failed");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Filters (in use)" }).click();
  await page.getByRole("button", { name: "Show all events" }).click();
  await expect(page).toHaveURL(/\/admin\/security-events\/$/);
});
