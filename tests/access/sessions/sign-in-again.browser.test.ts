import {
  createNewPerson,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  newPersonPassword,
  test,
} from "#tests/support/browser.ts";

test("signs in again over the page after the session has ended, and saves what was typed", async ({
  page,
  context,
}) => {
  const email = await createNewPerson(page);
  const logIn = async () => {
    await page.getByLabel("Username").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(newPersonPassword);
    await page.getByRole("button", { name: "Login" }).click();
  };
  await page.goto("/login/?returnUrl=%2Fmy-account%2F");
  await logIn();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await page.goto("/update-profile/");
  await page.getByLabel("Position").fill("Head of Planning");
  const other = await context.newPage();
  await other.goto("/update-profile/");
  await other.getByLabel("First Name").fill("Typed elsewhere");

  // The session ends on the server, for example from another device.
  await page.evaluate(async () => {
    const { accessToken } = JSON.parse(localStorage.getItem("xer-portal.session") ?? "{}") as { accessToken: string };
    await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ query: "mutation { signOut { id } }" }),
    });
  });
  await page.getByRole("button", { name: "Submit" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog).toContainText(email);
  await expectAccessible(page, "signing in again");
  await expect(other.getByRole("dialog", { name: "Sign in again" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);

  await dialog.getByLabel("Password", { exact: true }).fill(newPersonPassword);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Your profile has been successfully updated.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(other.getByRole("dialog")).toBeHidden();
  await expect(other.getByLabel("First Name")).toHaveValue("Typed elsewhere");

  await page.reload();
  await expect(page.getByLabel("Position")).toHaveValue("Head of Planning");
});
