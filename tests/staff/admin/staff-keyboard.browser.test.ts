import type { Page } from "@playwright/test";
import { expect, findEmailedLink, sendGraphqlAs, signIn, test } from "#tests/support/browser.ts";
import {
  addConcurrentLicence,
  createCorporateCustomer,
  createCustomer,
  createStaff,
  demoAdmin,
} from "#tests/support/browser-people.ts";
import { tabTo, tabToField } from "#tests/support/keyboard.ts";

/** Opens an action on a customer from the command palette. */
async function choose(page: Page, email: string, action: string): Promise<void> {
  const { keyboard } = page;
  // Ctrl+K does nothing while a dialog is open.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find anyone or anything" }).first()).toBeFocused();
  await keyboard.type(email);
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await keyboard.press("ArrowRight");
  await expect(page.getByText(/^Actions on /)).toBeVisible();
  await keyboard.type(action);
  await expect(page.getByRole("option").first()).toContainText(action);
  await keyboard.press("Enter");
}

test("lets staff extend a licence, reset a password, change seats, refund and find a build with the keyboard alone", async ({
  page,
}) => {
  const { keyboard } = page;
  const customer = await createCustomer(page);
  const corporate = await createCorporateCustomer(page);
  await addConcurrentLicence(page, corporate.id);
  await customer.subscribe();
  const invoice = await customer.readInvoice();
  await signIn(page, await createStaff(page, "owner"));
  await page.goto("/admin/");
  await expect(page.getByRole("heading", { level: 1, name: "Admin" })).toBeVisible();

  // 1. Reset a password. The button of the confirmation has the focus.
  await choose(page, customer.email, "Send Password Reset");
  await expect(page.getByRole("button", { name: "Send email" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByText("The email has been sent.")).toBeVisible();
  expect(await findEmailedLink(page, customer.email)).toContain("/reset-password");

  // 2. Extend a licence. Enter in the field saves, and Escape would close the dialog.
  await choose(page, corporate.email, "Extend Licence");
  await expect(page.getByRole("dialog", { name: "Update licence" })).toBeVisible();
  await tabToField(page, "Expiry Date");
  await keyboard.press("Control+a");
  await keyboard.type("30/09/2032");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully updated the licence.")).toBeVisible();

  // 3. Change seats.
  await choose(page, corporate.email, "Change Seats");
  await expect(page.getByRole("dialog", { name: "Change seats" })).toBeVisible();
  await tabToField(page, "Number of users");
  await keyboard.press("Control+a");
  await keyboard.type("9");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully changed the seats.")).toBeVisible();
  const query = "query ($id: ID!) { user(id: $id) { licences { numberOfUsers expiresAt } } }";
  const { user } = await sendGraphqlAs(page, demoAdmin, query, { id: corporate.id });
  expect(user).toMatchObject({ licences: [{ numberOfUsers: 9, expiresAt: expect.stringMatching(/^2032-09-30/) }] });

  // 4. Refund. The amount has the focus.
  await choose(page, customer.email, "Refund");
  const refund = page.getByRole("dialog", { name: `Refund invoice ${invoice.number}` });
  await expect(refund.getByLabel("Amount")).toBeFocused();
  await keyboard.press("Control+a");
  await keyboard.type("20");
  await tabToField(page, "Reason");
  await keyboard.type("Goodwill");
  await tabTo(page, "button", "Refund A$20.00");
  await keyboard.press("Enter");
  await expect(page.getByText("A$20.00 refunded.", { exact: true }).first()).toBeVisible();
  await expect(refund).toBeHidden();

  // 5. Find a build. Escape closes its details and leaves the focus on the page.
  await keyboard.press("Control+k");
  await keyboard.type("7.2.0");
  const build = page.getByRole("option", { name: /Build/ }).first();
  await expect(build).toBeVisible();
  for (let steps = 0; steps < 10 && (await build.getAttribute("aria-selected")) !== "true"; steps++)
    await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("7.2.0");
  await keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
