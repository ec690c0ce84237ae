import { expect, newPersonPassword, signIn, test } from "#tests/support/browser.ts";
import { createCustomer } from "#tests/support/browser-people.ts";
import { tabTo, tabToField } from "#tests/support/keyboard.ts";

test("lets a customer subscribe, download the invoice and change profile and password with the keyboard alone", async ({
  page,
}) => {
  const { keyboard } = page;
  await signIn(page, await createCustomer(page));
  await page.goto("/my-account/");
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  // 1. Subscribe. Arrow keys choose the plan.
  await tabTo(page, "link", "Billing");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Manage Subscription" })).toBeFocused();
  await tabTo(page, "radio", /^Professional/);
  await keyboard.press("ArrowUp");
  const chosen = page.getByRole("radiogroup", { name: "Subscription Level" }).getByRole("radio", { checked: true });
  await expect(chosen).toBeFocused();
  await tabToField(page, "Card Number");
  await keyboard.type("4242424242424242");
  await tabToField(page, "Expiry Date");
  await keyboard.type("12/39");
  await tabToField(page, "CVC");
  await keyboard.type("123");
  await tabTo(page, "checkbox", "I acknowledge this notice");
  await keyboard.press("Space");
  await tabTo(page, "button", "Subscribe");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Subscribe" })).toBeVisible();
  await tabTo(page, "button", "Yes");
  await keyboard.press("Enter");
  await expect(page.getByText("Subscription was successful.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  // 2. Download the invoice.
  await tabTo(page, "link", "Invoices");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Tax Invoices" })).toBeFocused();
  await tabTo(page, "button", /^Download \d/);
  const download = page.waitForEvent("download");
  await keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/^Invoice-\d+\.pdf$/);

  // 3. Change the profile. Enter saves, and the focus stays in the form.
  await tabTo(page, "link", "Profile");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await tabToField(page, "Position");
  await keyboard.press("Control+a");
  await keyboard.type("Lead Planner");
  await keyboard.press("Enter");
  await expect(page.getByText("Your profile has been successfully updated.")).toBeVisible();

  // 4. Change the password.
  await tabTo(page, "link", "Security");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await tabTo(page, "link", /Change Password/);
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Change Password" })).toBeFocused();
  await tabToField(page, "Existing Password");
  await keyboard.type(newPersonPassword);
  await tabToField(page, "New password");
  await keyboard.type("Another-Path-77");
  await tabToField(page, "Confirm password");
  await keyboard.type("Another-Path-77");
  await keyboard.press("Enter");
  await expect(page.getByText("You have changed your password successfully.")).toBeFocused();
});
