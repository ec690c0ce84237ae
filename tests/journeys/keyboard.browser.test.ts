import {
  expect,
  expectAccessible,
  findEmailedLink,
  registerPerson,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";
import { tabTo, tabToField } from "#tests/support/keyboard.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("a customer registers, starts a trial, copies the licence code and deactivates a device with the keyboard alone", async ({
  page,
}) => {
  const email = `grace.${crypto.randomUUID()}@example.test`;
  const { keyboard } = page;
  await page.goto("/register/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const name = { "First Name": "Grace", "Last Name": "Hopper", Position: "Planner" };
  const passwords = { Password: "Critical-path-31", "Confirm password": "Critical-path-31" };
  const street = { "Street number": "1", "Street name": "Queen Street" };
  const address = { ...street, City: "Brisbane", State: "QLD", "Post Code": "4000" };
  const typed = { ...name, Email: email, Phone: "0400 000 000", ...passwords, ...address };
  for (const [label, value] of Object.entries(typed)) {
    await tabToField(page, label);
    await keyboard.type(value);
  }
  await tabTo(page, "checkbox", /tester of pre-release/);
  await keyboard.press("Space");
  await tabTo(page, "button", "Accept terms and privacy policy");
  await keyboard.press("Space");
  await tabTo(page, "button", "Submit");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Email confirmation" })).toBeFocused();

  await expect(page.getByText(email)).toBeVisible();
  await tabTo(page, "button", "Change Email Address");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "the dialog for changing the email");
  await keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Change Email Address" })).toBeFocused();

  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await tabTo(page, "link", "Trial Professional");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Trial Professional" })).toBeFocused();
  await tabTo(page, "button", "I accept the terms and conditions");
  await keyboard.press("Space");
  await tabTo(page, "button", "Submit");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeFocused();
  await tabTo(page, "button", "Copy Licence Code");
  await keyboard.press("Enter");
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  const licenceCode = await page.evaluate(() => navigator.clipboard.readText());
  await startBrowserAddin(page, "LAPTOP-GRACE", licenceCode).callAddin("activate");

  await tabTo(page, "link", "Go to My Account");
  await keyboard.press("Enter");
  await tabTo(page, "button", "Actions for Planvarro Trial");
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("Enter");
  const codeDialog = page.getByRole("dialog", { name: "Licence code" });
  await expect(codeDialog.getByText(licenceCode.slice(0, 17))).toBeVisible();
  await keyboard.press("Escape");
  await expect(codeDialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions for Planvarro Trial" })).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Manage Activated Devices" })).toBeFocused();

  await tabTo(page, "button", "Deactivate");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Deactivate device" })).toBeVisible();
  await tabToField(page, "Reason");
  await keyboard.type("Device");
  await tabTo(page, "button", "Deactivate");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully deactivated the device.")).toBeVisible();
  await expect(page.locator(":focus")).toContainText("0 of 1 device in use");

  await tabTo(page, "link", "Logout");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/");
});

test("staff manage a customer and a licence with the keyboard alone", { tag: "@long" }, async ({ page }) => {
  const { keyboard } = page;
  const focused = page.locator(":focus");
  const email = await registerPerson(page);
  await signInAsDemo(page, "admin");

  // 1. Find the customer with the search, which Ctrl+K opens on every page.
  await keyboard.press("Control+k");
  await keyboard.type(email);
  await expect(page.getByRole("option", { name: /^Grace Hopper/ })).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Grace Hopper" })).toBeFocused();

  // 2. Save a detail with Enter. The focus stays in the form.
  await expect(page.getByText("Email address not confirmed")).toBeVisible();
  await tabTo(page, "tab", "Overview");
  await keyboard.press("ArrowRight");
  await expect(page.getByLabel("Company", { exact: false }).first()).toBeVisible();
  await tabToField(page, "Position");
  await keyboard.press("Control+a");
  await keyboard.type("Principal Planner");
  await keyboard.press("Enter");
  await expect(page.getByText("The user details have been updated.")).toBeVisible();
  await expect(page.getByLabel("Position", { exact: true })).toBeFocused();

  // 3. Add a licence. Arrow keys switch tabs, and the dialog returns the focus to the button that opened it.
  for (let stops = 0; stops < 40 && (await focused.getAttribute("role")) !== "tab"; stops++)
    await keyboard.press("Shift+Tab");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Licences" })).toBeFocused();
  await expect(page.getByText("No Licences.")).toBeVisible();
  await tabTo(page, "button", "Add A Licence");
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add A Licence" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, "a new licence");
  const types = { "Licence type": "Multi", "Licence category": "Trans", "Licence activation type": "Stand" };
  for (const [label, words] of Object.entries({ "Product level": "Corporate", ...types })) {
    await tabToField(page, label);
    await keyboard.type(words);
  }
  await expect(dialog.getByLabel("Licence type", { exact: true })).toHaveValue("2");
  await tabTo(page, "button", "Save");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully added a licence.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Add A Licence" })).toBeFocused();

  // 4. View and copy the code. Escape returns the focus to where each dialog was opened.
  await tabTo(page, "button", /^Actions for Planvarro Corporate/);
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("Enter");
  const code = await page.getByRole("dialog", { name: "Licence code" }).locator("code").innerText();
  await keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Actions for Planvarro Corporate/ })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code.replace(/\s/g, ""));

  // 5. Reset the deactivation counter.
  for (let stops = 0; stops < 20 && !(await focused.innerText()).startsWith("Reset Licence"); stops++)
    await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Reset Licence Deactivation Counter" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Reset", exact: true })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByText("The user's licence deactivation counter has been reset successfully.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reset Licence Deactivation Counter" })).toBeFocused();
});
