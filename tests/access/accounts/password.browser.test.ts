import { expect, expectAccessible, expectNoHorizontalScroll, findEmailedLink, test } from "#tests/support/browser.ts";

test("resets a forgotten password by email and changes it again on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const heading = (name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const email = `ada.${crypto.randomUUID()}@example.test`;
  const password = "Critical-path-31";
  const registered = await page.request.post("/v1/core/accounts", {
    data: {
      firstName: "Ada",
      lastName: "Byron",
      position: "Planner",
      email,
      mobile: "+61 400 000 000",
      password,
      confirmPassword: password,
      streetNumber: "120",
      streetName: "Eagle Street",
      city: "Brisbane",
      state: "QLD",
      postCode: "4000",
      country: "Australia",
    },
  });
  expect(registered.ok()).toBe(true);

  await page.goto("/login/");
  await page.getByRole("link", { name: "Forgot Password" }).click();
  await heading("Forgot Password");
  await page.getByLabel("Email Address").fill(email);
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("A link to reset your password has been sent to your email address.")).toBeFocused();
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "a reset link on its way");

  const link = await findEmailedLink(page, email);
  await page.goto(link);
  await heading("Reset password");
  await page.getByLabel("New password").fill("password1");
  await page.getByLabel("Confirm password").fill("password1");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("This password is one of the first that attackers try.", { exact: false })).toBeVisible();
  await expectAccessible(page, "a new password that is refused");
  await page.getByLabel("New password").fill("Gantt-charts-44");
  await page.getByLabel("Confirm password").fill("Gantt-charts-44");
  await page.getByRole("button", { name: "Submit" }).click();
  await heading("My Account");

  await page.getByRole("link", { name: "Change Password" }).click();
  await heading("Change Password");
  await page.getByLabel("Existing Password").fill("Gantt-charts-44");
  await page.getByLabel("New password").fill("Critical-path-9");
  await page.getByLabel("Confirm password").fill("Critical-path-9");
  await expectAccessible(page, "changing a password");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("You have changed your password successfully.")).toBeFocused();
  await page.reload();
  await heading("Change Password");

  await page.goto("/logout/");
  await expect(page).toHaveURL("/");
  await page.goto(link);
  await expect(
    page.getByText("Your password reset request is invalid, please reset your password again."),
  ).toBeVisible();
  await expectNoHorizontalScroll(page);
});
