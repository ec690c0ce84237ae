import type { Page } from "@playwright/test";
import {
  type Account,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  sendGraphqlAs,
  signIn,
  test,
} from "#tests/support/browser.ts";
import { createCustomer, createStaff, demoAdmin, findUserId } from "#tests/support/browser-people.ts";

test.afterEach(async ({ page }) => {
  await page.request.post("/dev/clock", { data: { reset: true } });
});

const table = (page: Page, name: string) => page.getByRole("table", { name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

/** Signs in and opens the Billing tab of a customer. */
async function openBilling(page: Page, staff: Account, email: string): Promise<void> {
  const id = await findUserId(page, email);
  await signIn(page, staff);
  await page.goto(`/admin/update-user/${id}/?tab=billing`);
  await expect(page.getByRole("region", { name: "Subscription" })).toBeVisible();
}

test("extends, cancels and resumes a subscription, in the list of subscriptions too", async ({ page }) => {
  const customer = await createCustomer(page);
  const staff = await createStaff(page, "finance");
  await customer.subscribe();
  await openBilling(page, staff, customer.email);
  const card = page.getByRole("region", { name: "Subscription" });
  const expiry = card.getByText("Licence expires").locator("xpath=..");
  const before = await expiry.textContent();
  await card.getByRole("button", { name: "Extend Licence" }).click();
  const extension = dialog(page, "Extend Licence");
  await extension.getByLabel("Days").fill("10");
  await extension.getByLabel("Reason").fill("Their bank is slow");
  await expect(extension.getByRole("list", { name: "Effects" })).toBeVisible();
  await extension.getByRole("button", { name: "Extend Licence" }).click();
  await expect(page.getByText("The licence has been extended.")).toBeVisible();
  await expect(expiry).not.toHaveText(before ?? "");

  await card.getByRole("button", { name: "Cancel Subscription" }).click();
  const cancellation = dialog(page, "Cancel Subscription");
  await expect(cancellation.getByLabel("At the end of the period")).toBeChecked();
  await cancellation.getByLabel("Reason").fill("Cancelled by phone");
  await cancellation.getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(card).toContainText("Cancelled");

  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Subscriptions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Subscriptions" })).toBeVisible();
  await page.getByRole("button", { name: "Cancelled", exact: true }).click();
  const boxes = page.getByRole("searchbox", { name: "Search" }).or(page.getByLabel("Search", { exact: true }));
  await boxes.first().fill(customer.email);
  const row = table(page, "Subscriptions").getByRole("row").filter({ hasText: "Grace Hopper" });
  await expect(row).toHaveCount(1);
  await expect(page).toHaveURL(/status=CANCELLING/);
  await expectAccessible(page, "the subscriptions");
  await row.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Resume Subscription" }).click();
  await dialog(page, "Resume Subscription").getByLabel("Reason").fill("Changed their mind");
  await dialog(page, "Resume Subscription").getByRole("button", { name: "Resume Subscription" }).click();
  await expect(page.getByText("The subscription has been resumed.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expect(row).toContainText("Active");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export these rows" }).click();
  expect((await download).suggestedFilename()).toBe("Subscriptions.csv");
  await row.getByRole("link", { name: "Grace Hopper" }).click();
  await expect(card).toContainText("Active");
});

test("shows what is past due, retries the payment and shows the bank's reason", async ({ page }) => {
  const customer = await createCustomer(page);
  const staff = await createStaff(page, "support");
  await customer.subscribe("4000000000000341");
  expect((await page.request.post("/dev/clock", { data: { advanceSeconds: 32 * 86_400 } })).ok()).toBe(true);
  const userId = await findUserId(page, customer.email);
  const isPastDue = async () => {
    const query = "query ($id: ID!) { user(id: $id) { billingSubscriptions { status } } }";
    const { user } = await sendGraphqlAs(page, demoAdmin, query, { id: userId });
    return JSON.stringify(user).includes("PAST_DUE");
  };
  // The provider's notices may still be on their way.
  await expect.poll(isPastDue).toBe(true);
  await openBilling(page, staff, customer.email);
  await expect(page.getByText(/^Past due A\$[\d.]+ since /)).toBeVisible();
  await expect(page.getByRole("region", { name: "Subscription" }).getByRole("alert")).toContainText(/Next retry \d/);
  const failures = table(page, "Payments").getByRole("row").filter({ hasText: "Failed" });
  const count = await failures.count();
  await expectAccessible(page, "a past due subscription");
  await page.getByRole("region", { name: "Subscription" }).getByRole("button", { name: "Retry Payment" }).click();
  await dialog(page, "Retry Payment").getByRole("button", { name: "Retry Payment" }).click();
  const alerts = page.getByRole("alert").filter({ hasText: /declined|card/i });
  await expect(alerts.last()).toBeVisible();
  await expect(failures).toHaveCount(count + 1);

  await page.goto(`/admin/subscriptions/?status=PAST_DUE&q=${customer.email}`);
  const row = table(page, "Subscriptions").getByRole("row").filter({ hasText: "Grace Hopper" });
  await expect(row).toContainText(/Past due.*A\$[\d.]+.*declined/i);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});
