import { expect, expectAccessible, expectNoHorizontalScroll, findEmailedLink, test } from "#tests/support/browser.ts";

const password = "Analytical-1843";

test("lets a user sign in with the old address until the link sent to the new one is opened", async ({ page }) => {
  const [before, after] = [`ada.${crypto.randomUUID()}@example.test`, `byron.${crypto.randomUUID()}@example.test`];
  const registered = await page.request.post("/v1/core/accounts", {
    data: {
      firstName: "Ada",
      lastName: "Byron",
      position: "Planner",
      email: before,
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
  await page.goto(await findEmailedLink(page, before));
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  await page.getByRole("link", { name: "Update My Details" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(before);
  await expectAccessible(page, "the profile");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.getByLabel("Email").fill(after);
  await page.getByRole("button", { name: "Submit" }).click();

  await expect(page).toHaveURL(/\/email-confirmation\/[\w-]+\/$/);
  await expect(page.getByText("Your profile has been successfully updated.")).toBeVisible();
  await expect(page.getByText(after)).toBeVisible();
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "the confirmation of a changed address");

  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  await page.getByLabel("Username").fill(before);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Update profile" })).toBeVisible();
  await expect(page.getByRole("note")).toContainText(`${after} is not confirmed yet.`);
  await expectAccessible(page, "the profile with an address that waits");

  await page.goto(await findEmailedLink(page, after));
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await expect(page.getByText("You have successfully confirmed your email.")).toBeVisible();
  await expect(page.getByRole("main").getByText(after)).toBeVisible();
});
