import {
  expect,
  expectAccessible,
  expectFitsSmallScreens,
  sendGraphqlAs,
  signIn,
  test,
} from "#tests/support/browser.ts";
import { createCustomer, createStaff } from "#tests/support/browser-people.ts";

test("finds a cancelled subscription in the list, resumes it, and exports the rows", async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  await sendGraphqlAs(page, customer, "mutation { cancelSubscription { message } }");
  await signIn(page, await createStaff(page, "finance"));
  await page.goto("/admin/");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Subscriptions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Subscriptions" })).toBeVisible();
  await page.getByRole("button", { name: "Cancelled", exact: true }).click();
  const boxes = page.getByRole("searchbox", { name: "Search" }).or(page.getByLabel("Search", { exact: true }));
  await boxes.first().fill(customer.email);
  const row = page.getByRole("table", { name: "Subscriptions" }).getByRole("row").filter({ hasText: "Grace Hopper" });
  await expect(row).toHaveCount(1);
  await expect(page).toHaveURL(/status=CANCELLING/);
  await expectAccessible(page, "the subscriptions");
  await row.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Resume Subscription" }).click();
  const dialog = page.getByRole("dialog", { name: "Resume Subscription" });
  await dialog.getByLabel("Reason").fill("Changed their mind");
  await dialog.getByRole("button", { name: "Resume Subscription" }).click();
  await expect(page.getByText("The subscription has been resumed.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expect(row).toContainText("Active");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export these rows" }).click();
  expect((await download).suggestedFilename()).toBe("Subscriptions.csv");
  await expectFitsSmallScreens(page);
  await row.getByRole("link", { name: "Grace Hopper" }).click();
  await expect(page.getByRole("region", { name: "Subscription" })).toContainText("Active");
});
