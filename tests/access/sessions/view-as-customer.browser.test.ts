import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";
import { findUserId } from "#tests/support/browser-people.ts";

test("shows an admin the portal as a customer in a read-only tab until they stop", async ({ page }) => {
  await signInAsDemo(page, "admin", `/admin/update-user/${await findUserId(page, "ada@demo.test")}/`);
  const opening = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "View as customer" }).click();
  const view = await opening;
  const complaints: string[] = [];
  view.on("pageerror", (error) => complaints.push(String(error)));
  view.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });

  await expect(view).toHaveURL("/my-account/");
  await expect(view.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await expect(view.getByRole("main").getByText("ada@demo.test")).toBeVisible();
  const banner = view.getByRole("status").filter({ hasText: "You are viewing the portal as" });
  await expect(banner).toContainText("read-only");
  await expect(view.getByText(/^1[45]:\d\d$/)).toBeVisible();
  expect(await view.evaluate(() => window.opener)).toBeNull();
  await expectAccessible(view, "a customer's account in a view");
  await view.setViewportSize({ width: 390, height: 780 });
  await expectNoHorizontalScroll(view);
  await expect(view.getByRole("button", { name: "Stop viewing" })).toBeInViewport();
  await view.setViewportSize({ width: 1440, height: 900 });

  await view.getByRole("button", { name: "Stop viewing" }).click();
  await expect(view.getByRole("heading", { level: 1, name: "Viewing has ended" })).toBeVisible();
  await view.reload();
  await expect(view.getByRole("heading", { level: 1, name: "Viewing has ended" })).toBeVisible();
  expect(complaints).toEqual([]);
  await page.goto("/admin/");
  await expect(page.getByRole("heading", { level: 1, name: "Admin" })).toBeVisible();
  await expect(page.getByText("You are viewing the portal as")).toHaveCount(0);
});
