import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("creates a user, then blocks a machine for them and keeps it after a reload", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/create-user/");
  const email = `mary.${crypto.randomUUID()}@example.com`;
  for (const [label, value] of Object.entries({
    "First Name": "Mary",
    "Last Name": "Somerville",
    Phone: "0400 000 000",
    Email: email,
    "Street number": "12",
    "Street name": "Eagle Street",
    City: "Brisbane",
    "Post Code": "4000",
  }))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("State").selectOption("QLD");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const created = page.waitForResponse(
    async (response) => response.url().endsWith("/graphql") && (await response.text()).includes("createUser"),
  );
  await page.getByRole("button", { name: "Submit" }).click();
  const { data } = (await (await created).json()) as { data: { createUser: { id: string } } };
  await expect(page).toHaveURL("/admin/manage-users/");
  await expect(page.getByText("The user has been successfully created.")).toBeVisible();

  await page.goto(`/admin/update-user/${data.createUser.id}?tab=details`);
  await expect(page.getByRole("heading", { level: 1, name: "Mary Somerville" })).toBeVisible();
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
