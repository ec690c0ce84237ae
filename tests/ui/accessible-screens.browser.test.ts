import {
  expect,
  expectAccessible,
  expectFitsSmallScreens,
  expectNoHorizontalScroll,
  narrow,
  signInAsDemo,
  test,
  wide,
} from "#tests/support/browser.ts";

// The pages in the sitemap are checked with the public site, and more screens of customers and staff in their journeys.
test("the pages for visitors are accessible", async ({ page }) => {
  const pages = ["error-403", "error-404", "error-500", "maintenance"].map((name) => `/pages/${name}`);
  const screens = ["/forgot-password/", "/reset-password/", ...pages, "/confirm-email/"];
  for (const screen of screens) {
    await page.goto(screen);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.getByRole("main")).toHaveCount(1);
    await expectAccessible(page, screen);
    await expectFitsSmallScreens(page);
  }
  await page.goto("/register/");
  await page.getByLabel("Find address").fill("bris");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "Brisbane QLD 4000" })).toBeVisible();
  await expectAccessible(page, "the address search with suggestions");

  await page.setViewportSize(narrow);
  await page.goto("/forgot-password/");
  const longest = `${"maximiliane.".repeat(5)}x@${"planning-department.".repeat(4)}example`;
  await page.getByLabel("Email Address").fill(longest);
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("A link to reset your password has been sent to your email address.")).toBeVisible();
  await expectNoHorizontalScroll(page);
});

test("the pages for customers are accessible", async ({ page }) => {
  await signInAsDemo(page, "new");
  await expect(page.getByText("Sorry, you don't have any licence keys yet.")).toBeVisible();
  await expectAccessible(page, "an account without licences");
  await page.goto("/try-xer/");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Please accept the terms and conditions.")).toBeVisible();
  await expectAccessible(page, "the trial form with errors");
  await page.goto("/manage-subscription/xer-professional-yearly/");
  await page.getByRole("button", { name: "I have a promo code" }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await expect(page.getByText("Card details are required.").first()).toBeVisible();
  await expectAccessible(page, "the subscribe form with errors");
  await expectFitsSmallScreens(page);
  await page.goto("/manage-payment-details/");
  await expect(page.getByRole("link", { name: "Subscribe", exact: true })).toBeVisible();
  await expectAccessible(page, "payment details without a subscription");
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");

  await signInAsDemo(page, "ada");
  for (const [screen, sign] of [
    ["/my-account/", "Manage Subscription"],
    ["/manage-subscription/", "Change Subscription"],
    ["/change-subscription/", "Cancel"],
    ["/manage-payment-details/", "Cancel"],
    ["/try-xer/", "Go to My Account"],
  ] as const) {
    await page.goto(screen);
    await expect(page.getByRole("main").getByRole("link", { name: sign, exact: true })).toBeVisible();
    await expectAccessible(page, screen);
    await expectFitsSmallScreens(page);
  }
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");

  await signInAsDemo(page, "trial", "/try-xer/");
  await expect(page.getByRole("heading", { name: "Your trial is running" })).toBeVisible();
  await expectAccessible(page, "a running trial");
  await page.goto("/my-account/");
  const actions = page.getByRole("button", { name: "Actions for Planvarro Trial" });
  await actions.click();
  await page.getByRole("menuitem", { name: "View licence code" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "the licence code");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.setViewportSize(narrow);
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "the account on a phone");
  await actions.click();
  await page.getByRole("menuitem", { name: "Manage Activated Devices" }).click();
  await expect(page.getByRole("heading", { name: "LAPTOP-TRIA" })).toBeVisible();
  await expectNoHorizontalScroll(page);
  await page.setViewportSize(wide);
  await expectAccessible(page, "the list of devices");
});

test("the history of a licence is accessible", async ({ page }) => {
  await signInAsDemo(page, "ada");
  await page.getByRole("button", { name: "Actions for Planvarro Professional" }).click();
  await page.getByRole("menuitem", { name: "View licence history" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Licence history" })).toBeVisible();
  await expect(page.getByText("Refused").first()).toBeVisible();
  await expectAccessible(page, "the history of a licence");
  await page.getByLabel("Refusals only").check();
  await expect(page.getByText("The licence is valid on this device.")).toHaveCount(0);
  await page.getByLabel("Device").selectOption({ label: "BNE-PLAN-007" });
  await expect(page.getByText("No refusals.")).toBeVisible();
  await expectAccessible(page, "a filtered history without entries");
  await page.getByRole("button", { name: "Show all events" }).click();
  await expect(page.getByText("The licence is valid on this device.").first()).toBeVisible();
  await expectFitsSmallScreens(page);
});

test("the seats of a licence are accessible", async ({ page }) => {
  await signInAsDemo(page, "corporate");
  await page.getByRole("button", { name: "Actions for Planvarro Corporate Dark Concurrent" }).click();
  await page.getByRole("menuitem", { name: "Seats" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Seats" })).toBeVisible();
  await expect(page.getByText("No seat was available").first()).toBeVisible();
  await expectAccessible(page, "the seats");
  await expectFitsSmallScreens(page);
});

test("the account pages fit on a narrow phone and at 200 % zoom", async ({ page }) => {
  await signInAsDemo(page, "new");
  const screens = {
    "/my-account/": "My Account",
    "/update-profile/": "Update profile",
    "/change-password/": "Change Password",
    "/sessions/": "Active sessions",
    "/security/": "Security",
    "/licences/": "Licences",
    "/developers/": "Developers",
    "/personal-access-tokens/": "Personal access tokens",
    "/your-data/": "Your data",
    "/contact-us/": "Contact Us",
  };
  for (const [screen, name] of Object.entries(screens)) {
    await page.goto(screen);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expectFitsSmallScreens(page);
    if (["/your-data/", "/security/", "/licences/", "/developers/"].includes(screen))
      await expectAccessible(page, screen);
  }
  await page.goto("/update-profile/");
  await page.getByLabel("First Name").fill("Maximiliane-Alexandra Wolfeschlegelsteinhausenbergerdorff III");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("First name is too long.")).toBeVisible();
  await expectFitsSmallScreens(page);
});
