import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test.describe.configure({ timeout: 120_000 });

const narrow = { width: 320, height: 640 };
const wide = { width: 1440, height: 900 };

/** Returns the id of a demo user from their access token. */
async function getUserId(page: Page, name: string): Promise<string> {
  const data = { UserName: `${name}@demo.test`, Password: "Demo-pass-1", ClientId: "portal", GrantType: "password" };
  const response = await page.request.post("/v1/core/auth/token", { data });
  const { access_token } = (await response.json()) as { access_token: string };
  const claims = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()) as { id: string };
  return claims.id;
}

test("edits a customer's contacts, adds a comment and adds a promo code", async ({ page }) => {
  const user = `/admin/update-user/${await getUserId(page, "new")}/`;
  await signInAsDemo(page, "admin");
  const dialog = page.getByRole("dialog");

  await page.goto(`${user}?tab=contacts`);
  await expect(page.getByText("No Contacts.")).toBeVisible();
  await page.getByRole("button", { name: "Create A Contact" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Contact type is required.")).toBeVisible();
  await expectAccessible(page, "a contact form with errors");
  await dialog.getByLabel("First Name").fill("Wendy");
  await dialog.getByLabel("Last Name").fill("O'Hara");
  await dialog.getByLabel("Email").fill("wendy@example.com");
  await dialog.getByLabel("Phone").fill("07 3000 0000");
  await dialog.getByLabel("Contact type").selectOption({ label: "Accounts" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The contact has been successfully saved.")).toBeVisible();
  await page.getByRole("button", { name: "Actions for Wendy O'Hara" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog.getByLabel("Contact type").selectOption({ label: "Principal Contact" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The contact has been successfully updated.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Principal Contact" })).toBeVisible();
  await page.getByRole("button", { name: "Actions for Wendy O'Hara" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("The contact has been successfully deleted.")).toBeVisible();
  await expect(page.getByText("No Contacts.")).toBeVisible();

  await page.goto(`${user}?tab=comments`);
  await page.getByRole("button", { name: "Add a comment" }).click();
  await dialog.getByLabel("Comment", { exact: true }).fill(`Two lines:\n${"a-word-without-an-end".repeat(20)}`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Comment has been successfully saved.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Admin Demo" })).toBeVisible();
  await page.setViewportSize(narrow);
  await expectNoHorizontalScroll(page);
  await page.setViewportSize(wide);

  await page.goto("/admin/manage-promo-codes/");
  await page.getByRole("button", { name: "Add a promo code" }).click();
  // Uses only the keyboard: the first field has focus, and Enter saves.
  await expect(dialog.getByLabel("Promo Code")).toBeFocused();
  await page.keyboard.type("Spring-27");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("12.5");
  await page.keyboard.press("Tab");
  await page.keyboard.type("30/06/2035");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You have successfully added the promo code.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "Spring-27" });
  await expect(row.getByRole("cell", { name: "12.5%" })).toBeVisible();
  await expect(row.getByRole("cell", { name: "30/06/2035" })).toBeVisible();
  await expectAccessible(page, "the promo codes");
  await page.setViewportSize(narrow);
  await expectNoHorizontalScroll(page);
});
