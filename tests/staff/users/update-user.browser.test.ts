import {
  createNewPerson,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";
import { findUserId } from "#tests/support/browser-people.ts";

test("blocks a machine for a user, keeps it on the way forward, and after a reload", async ({ page }) => {
  const id = await findUserId(page, await createNewPerson(page));
  await signInAsDemo(page, "admin", `/admin/update-user/${id}?tab=details`);
  await expect(page.getByRole("heading", { level: 1, name: "Grace Hopper" })).toBeVisible();
  await page.getByRole("link", { name: "Manage Users" }).click();
  await page.goBack();
  await page.getByLabel("Machine name").fill("BNE-PLAN-099|office");
  await page.getByLabel("Machine name").press("Enter");
  await expect(page.getByRole("list", { name: "Blocked machines" }).getByText("Not saved yet")).toBeVisible();
  await expectAccessible(page, "updating a user");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goForward();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(/update-user/);
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("The user details have been updated.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("list", { name: "Blocked machines" })).toContainText(/BNE-PLAN-099\|office.*since/);
});
