import { ResultCode } from "#schema/catalogue.ts";
import { expect, expectNoHorizontalScroll, findEmailedLink, test } from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";

// The same steps at a desk are tested with the keyboard in tests/access/accounts/keyboard.browser.test.ts.
test.use({ viewport: { width: 390, height: 844 }, permissions: ["clipboard-read", "clipboard-write"] });

test("lets a visitor register, confirm, start a trial, activate a device and deactivate it", async ({ page }) => {
  const email = `ada.${crypto.randomUUID()}@example.test`;
  const step = async (heading: string) => {
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectNoHorizontalScroll(page);
  };

  // The portal remembers the requested trial during registration and email confirmation.
  await page.goto("/try-xer");
  await step("Login");
  await page.getByRole("link", { name: "Register Now" }).click();
  await step("Register");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByLabel("First Name")).toBeFocused();
  await expect(page.getByText("First name is required.")).toBeVisible();
  const typed = {
    "First Name": "Ada",
    "Last Name": "Byron",
    "Organisation / Company Name": "Analytical Planning",
    Position: "Planner",
    Email: email,
    Phone: "+61 400 000 000",
    "Street number": "120",
    "Street name": "Eagle Street",
    City: "Brisbane",
    "Post Code": "4000",
  };
  for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value);
  await page.getByLabel("Password", { exact: true }).fill("Analytical-1843");
  await page.getByLabel("Confirm password").fill("Analytical-1843");
  await page.getByLabel("State").selectOption("QLD");
  await page.getByRole("button", { name: "Accept terms and privacy policy" }).click();
  await page.getByRole("button", { name: "Submit" }).click();

  await step("Email confirmation");
  await expect(page.getByText(email)).toBeVisible();
  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByText("You have successfully confirmed your email.")).toBeVisible();

  await step("Trial Professional");
  await page.getByRole("button", { name: "I accept the terms and conditions" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome to your trial/ })).toBeFocused();
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Copy Licence Code" }).click();
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  const licenceCode = await page.evaluate(() => navigator.clipboard.readText());
  expect(licenceCode).toMatch(/^(?:[0-9A-Z]{5}-){5}[0-9A-Z]{5}$/);

  const addin = startBrowserAddin(page, "LAPTOP-ADA|planning.local", licenceCode);
  const { machineToken, resultCode } = await addin.callAddin("activate");
  expect(resultCode).toBe(ResultCode.VALID);
  expect(await addin.callAddin("validate", { machineToken })).toMatchObject({ resultCode: ResultCode.VALID });
  const another = await startBrowserAddin(page, "TOWER-ADA", licenceCode).callAddin("activate");
  expect(another).toMatchObject({ resultCode: ResultCode.MACHINE_LIMIT_EXCEEDED });

  await page.getByRole("link", { name: "Go to My Account" }).click();
  await step("My Account");
  await page.getByRole("button", { name: "Actions for XER Bridge Trial" }).click();
  await page.getByRole("menuitem", { name: "Manage Activated Devices" }).click();
  await step("Manage Activated Devices");
  await expect(page.getByRole("heading", { name: "LAPTOP-ADA", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate device" });
  await dialog.getByRole("button", { name: "Yes" }).click();
  await expect(dialog.getByText("Please state your reason for deactivation.")).toBeVisible();
  await dialog.getByLabel("Reason").selectOption("Device change");
  await dialog.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("You have successfully deactivated the device.")).toBeVisible();
  await expect(page.getByText("You don't have any activated devices for this licence.")).toBeVisible();
  await expect(page.getByText("You have 2 deactivations left (3 per year).")).toBeVisible();
  await expectNoHorizontalScroll(page);

  expect(await addin.callAddin("validate", { machineToken })).toMatchObject({
    resultCode: ResultCode.NOT_ACTIVATED,
  });
});
