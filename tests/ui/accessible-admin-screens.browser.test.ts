import {
  expect,
  expectAccessible,
  expectFitsSmallScreens,
  expectNoHorizontalScroll,
  narrow,
  registerPerson,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";

test("the admin landing page, attention lists and the audit log are accessible", async ({ page }) => {
  // Not the demo user, which is removed when the clock is moved.
  await registerPerson(page);
  await signInAsDemo(page, "admin");
  await expect(page.getByRole("link", { name: /\d Unconfirmed accounts/ })).toBeVisible();
  await page.getByRole("combobox", { name: "Find anyone or anything" }).fill("bne-plan");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page, "the admin landing page with search results");
  await expectFitsSmallScreens(page);
  await page.goto("/admin/attention/unconfirmed-accounts/");
  await expect(page.getByRole("button", { name: /^Actions for/ }).first()).toBeVisible();
  await expectAccessible(page, "an attention list");
  await expectFitsSmallScreens(page);
  await page.goto("/admin/audit-log/");
  await expect(page.getByRole("button", { name: "Apply" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expectAccessible(page, "the audit log");
});

test("the dashboard, its charts and its lists, and the GST summary are accessible", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/dashboard/?days=90");
  await expect(page.getByRole("link", { name: /^Validations [\d,]+/ })).toBeVisible();
  await page.getByText("Values of Validations per week").click();
  await expect(page.getByRole("table", { name: "Validations per week" })).toBeVisible();
  await expectAccessible(page, "the dashboard");
  await expectFitsSmallScreens(page);
  await page.getByRole("link", { name: /^Active subscriptions \d+/ }).click();
  await expect(page.getByRole("button", { name: /^Actions for/ }).first()).toBeVisible();
  await expectAccessible(page, "the list of a figure");
  await page.goto("/admin/tax/");
  await expect(page.getByRole("table", { name: "GST summary" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expectAccessible(page, "the GST summary");
  await expectFitsSmallScreens(page);
});

test("the deletion and the tabs of a user are accessible", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/manage-users/?q=corinne");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await page.getByRole("button", { name: "Actions for Corinne Portman" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("dialog", { name: "Delete user" })).toBeVisible();
  await expectAccessible(page, "the confirmation for deleting a user");
  await page.keyboard.press("Escape");
  await expectFitsSmallScreens(page);
  await page.getByRole("button", { name: "Actions for Corinne Portman" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const tabs = { Comments: "Comment date", "Sign-In": "Active sessions", History: "Show only" };
  for (const [tab, shown] of Object.entries(tabs)) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("main").getByText(shown).first()).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expectAccessible(page, `the ${tab} tab of a user`);
  }
  await expectFitsSmallScreens(page);
});

test("the order of a list can be seen and changed by keyboard on a narrow screen", async ({ page }) => {
  await page.setViewportSize(narrow);
  await signInAsDemo(page, "admin", "/admin/manage-users/?q=corinne");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  const head = page.getByRole("table", { name: "Users" }).locator("thead");
  const readHeight = async () => (await head.boundingBox())?.height ?? 0;
  expect(await readHeight()).toBeLessThanOrEqual(1);
  await page.getByRole("checkbox", { name: "Select Corinne Portman" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(head.getByRole("button").last()).toBeFocused();
  expect(await readHeight()).toBeGreaterThan(20);
  await expectNoHorizontalScroll(page);
  await page.keyboard.press("Tab");
  expect(await readHeight()).toBeLessThanOrEqual(1);
});

test("the form for a new user is accessible", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/create-user/");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Email is required.")).toBeVisible();
  await expectAccessible(page, "the form for a new user with errors");
  await expectFitsSmallScreens(page);
});

test("an invalid emailed link to a report is accessible", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/report-file/?t=nobody");
  await expect(page.getByRole("link", { name: "Go to reports" })).toBeVisible();
  await expectAccessible(page, "an invalid emailed link");
  await expectFitsSmallScreens(page);
});
