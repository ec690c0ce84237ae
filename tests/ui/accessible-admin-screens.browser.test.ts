import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  registerPerson,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";

test.describe.configure({ timeout: 180_000 });

const wide = { width: 1440, height: 900 };
const narrow = { width: 320, height: 640 };

test("the landing of admins, what needs attention, and the audit log", async ({ page }) => {
  // Not the demo's: where the clock was moved, that one was removed as time went by.
  await registerPerson(page);
  await signInAsDemo(page, "admin");
  await expect(page.getByRole("link", { name: /\d Unconfirmed Accounts/ })).toBeVisible();
  await page.getByRole("combobox", { name: "Find anyone or anything" }).fill("bne-plan");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page, "the admin's landing with what was found");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(wide);
  await page.goto("/admin/attention/unconfirmed-accounts/");
  await expect(page.getByRole("button", { name: /^Actions for/ }).first()).toBeVisible();
  await expectAccessible(page, "a list of what needs attention");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(wide);
  await page.goto("/admin/audit-log/");
  await expect(page.getByRole("button", { name: "Apply" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expectAccessible(page, "the audit log");
});

test("the dashboard, read off with the keys, and a list behind it", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.goto("/admin/dashboard/?days=90");
  await expect(page.getByRole("link", { name: /^Validations [\d,]+/ })).toBeVisible();
  const walk = page.getByRole("slider", { name: "Read Validations a week" });
  await walk.focus();
  const last = await walk.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  await expect(walk).not.toHaveAttribute("aria-valuetext", last ?? "");
  await page.getByText("Values of Validations a week").click();
  await expect(page.getByRole("table", { name: "Validations a week" })).toBeVisible();
  await expectAccessible(page, "the dashboard");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(wide);
  await page.getByRole("link", { name: /^Active subscriptions \d+/ }).click();
  await expect(page.getByRole("button", { name: /^Actions for/ }).first()).toBeVisible();
  await expectAccessible(page, "a list behind a figure");
});

test("the users, and one of them in tabs", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.goto("/admin/manage-users/?q=corinne");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expectAccessible(page, "the users");
  await page.getByRole("button", { name: "Actions for Corinne Portman" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("dialog", { name: "Delete User" })).toBeVisible();
  await expectAccessible(page, "deleting a user");
  await page.keyboard.press("Escape");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(wide);
  await page.getByRole("button", { name: "Actions for Corinne Portman" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  for (const [tab, shown] of [
    ["Comments", "Comment Date"],
    ["Sign-In", "Where This User Is Signed In"],
    ["History", "Show only"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByText(shown).first()).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expectAccessible(page, `the tab ${tab} of a user`);
  }
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});

test("the form of a new user", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.goto("/admin/create-user/");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Password is required.")).toBeVisible();
  await expectAccessible(page, "a new user full of faults");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});

test("the reports, saving one, and a mailed link that does not work", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.goto("/admin/reports-page/");
  await page.getByLabel("Report Type").selectOption("Users");
  await page.getByRole("button", { name: "All time" }).click();
  await expect(page.getByRole("img", { name: /Users, rows/ })).toBeVisible();
  await expect(page.getByText("No Saved Reports.")).toBeVisible();
  await expectAccessible(page, "the reports");
  await page.getByRole("button", { name: "Save This Report" }).click();
  await expect(page.getByRole("dialog", { name: "Save A Report" })).toBeVisible();
  await expectAccessible(page, "saving a report");
  await page.keyboard.press("Escape");
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.goto("/admin/report-file/?t=nobody");
  await expect(page.getByRole("link", { name: "Go to Reports" })).toBeVisible();
  await expectAccessible(page, "a mailed link that does not work");
  await expectNoSidewaysScroll(page);
});
