import { addDays, getCalendarDay } from "#schema/days.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, signIn, test } from "#tests/support/browser.ts";
import { createStaff } from "#tests/support/browser-people.ts";

test.afterEach(async ({ page }) => {
  await page.request.post("/dev/clock", { data: { reset: true } });
});

test("sets a price from a date, after a proof of identity, and keeps the current price until then", async ({
  page,
}) => {
  const staff = await createStaff(page, "finance");
  await signIn(page, staff);
  await page.goto("/admin/plans/");
  const row = page.getByRole("table", { name: "Prices of Standard" }).getByRole("row").filter({ hasText: "Monthly" });
  const current = (await row.getByRole("cell").nth(1).textContent()) ?? "";
  await expectAccessible(page, "the plans");
  // Longer than a sign-in counts as a proof of identity.
  await page.request.post("/dev/clock", { data: { advanceSeconds: 700 } });
  await page.getByRole("button", { name: "New price for Standard, monthly" }).click();
  const dialog = page.getByRole("dialog", { name: "New price for Standard, monthly" });
  await dialog.getByLabel("Price in AUD").fill("99");
  await expect(dialog.getByText("A$108.90 including GST in Australia")).toBeVisible();
  await dialog.getByLabel("Price in USD").fill("64.95");
  await dialog.getByLabel("From").fill(addDays(getCalendarDay(new Date()), 400).split("-").toReversed().join("/"));
  await dialog.getByLabel("Reason").fill("Prices of next year");
  await expectAccessible(page, "a new price");
  await dialog.getByRole("button", { name: "Set new price" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
  await proof.getByLabel("Password", { exact: true }).fill(staff.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("The new price has been saved.")).toBeVisible();
  await expect(row).toContainText(/From .*: A\$99\.00, US\$64\.95/);
  await expect(row.getByRole("cell").nth(1)).toHaveText(current);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});
