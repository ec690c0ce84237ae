import { ResultCode } from "#schema/result-code.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, test } from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";
import { createCustomer } from "#tests/support/browser-people.ts";

test.use({ viewport: { width: 390, height: 844 } });

test("a customer moves a licence to another device by code, moves it back, and denies a stranger", async ({ page }) => {
  const customer = await createCustomer(page);
  const licenceCode = await customer.startTrial();
  const laptop = startBrowserAddin(page, "LAPTOP-GRACE|planning.local", licenceCode);
  const { machineToken } = await laptop.callAddin("activate");

  // The code from the link is kept during the sign-in.
  const tower = startBrowserAddin(page, "TOWER-GRACE", "");
  const authorization = await tower.begin();
  expect(await tower.refusalOfPoll(authorization.device_code)).toBe("authorization_pending");
  await page.goto(authorization.verification_uri_complete);
  await page.getByLabel("Username").fill(customer.email);
  await page.getByLabel("Password", { exact: true }).fill(customer.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Activate a device" })).toBeVisible();
  await expect(page.getByLabel("Code")).toHaveValue(authorization.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Activate TOWER-GRACE?" })).toBeFocused();
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Please choose the device to replace.")).toBeVisible();
  await expectAccessible(page, "the confirmation of a device");
  await page.getByLabel("Device to replace").selectOption({ index: 1 });
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/Go back to the add-in on TOWER-GRACE/)).toBeFocused();
  const swapped = await tower.callAddin("device-authorization/token", { device_code: authorization.device_code });
  expect(swapped).toMatchObject({ resultCode: ResultCode.VALID, licenceCode });
  await expect(page.getByText("TOWER-GRACE is activated.")).toBeFocused();
  await expectAccessible(page, "an activated device");
  expect(await laptop.callAddin("validate", { machineToken })).toMatchObject({ resultCode: ResultCode.NOT_ACTIVATED });

  // Back to the laptop: the tower is deactivated in the portal.
  await page.goto("/my-account/");
  await page.getByRole("button", { name: "Actions for Planvarro Trial" }).click();
  await page.getByRole("menuitem", { name: "Manage Activated Devices" }).click();
  await expect(page.getByRole("heading", { name: "TOWER-GRACE", exact: true })).toBeVisible();
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate device" });
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await expect(dialog.getByText("Please state your reason for deactivation.")).toBeVisible();
  await expectAccessible(page, "the deactivation of a device with an error");
  await dialog.getByLabel("Reason").selectOption("Device change");
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("You have successfully deactivated the device.")).toBeVisible();
  await expect(page.getByText("You don't have any activated devices for this licence.")).toBeVisible();
  await expect(page.getByText("You have 1 deactivation left (3 per year).")).toBeVisible();
  const { machineToken: towerToken } = swapped;
  const refused = await tower.callAddin("validate", { licenceCode, machineToken: towerToken });
  expect(refused).toMatchObject({ resultCode: ResultCode.NOT_ACTIVATED });
  expect(await laptop.callAddin("activate")).toMatchObject({ resultCode: ResultCode.VALID });

  const stranger = startBrowserAddin(page, "STRANGER", "");
  const { device_code: deviceCode, user_code: userCode } = await stranger.begin();
  await page.goto("/activate/");
  await page.getByLabel("Code").fill(userCode.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "This wasn't me" }).click();
  await expect(page.getByText("Nothing was activated on STRANGER.")).toBeFocused();
  await expectNoHorizontalScroll(page);
  expect(await stranger.refusalOfPoll(deviceCode)).toBe("access_denied");
});
