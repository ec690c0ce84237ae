import { ResultCode } from "#schema/catalogue.ts";
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  findEmailedLink,
  newPersonPassword,
  registerPerson,
  test,
} from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";

// The desk layout of these pages is checked in tests/ui/accessible-screens.browser.test.ts.
test.use({ viewport: { width: 390, height: 844 } });

test("signs in and activates two devices by code, the second replacing the first", async ({ page }) => {
  // A new customer with a trial licence for one device.
  const email = await registerPerson(page);
  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await page.goto("/try-xer/");
  await page.getByRole("button", { name: "I accept the terms and conditions" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome to your trial/ })).toBeVisible();
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");

  // The code from the link is kept during the sign-in.
  const laptop = startBrowserAddin(page, "LAPTOP-GRACE|planning.local", "");
  const first = await laptop.begin();
  expect(await laptop.refusalOfPoll(first.device_code)).toBe("authorization_pending");
  await page.goto(first.verification_uri_complete);
  await page.getByLabel("Username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(newPersonPassword);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Activate a device" })).toBeVisible();
  await expect(page.getByLabel("Code")).toHaveValue(first.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Activate LAPTOP-GRACE?" })).toBeFocused();
  await expect(page.getByText(first.user_code)).toBeVisible();
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/Go back to the add-in on LAPTOP-GRACE/)).toBeFocused();
  await expectAccessible(page, "waiting for the add-in");

  const activated = await laptop.callAddin("device-authorization/token", { device_code: first.device_code });
  expect(activated.resultCode).toBe(ResultCode.VALID);
  const { licenceCode = "", machineToken } = activated;
  expect(licenceCode).toMatch(/^(?:[0-9A-Z]{5}-){5}[0-9A-Z]{5}$/);
  await expect(page.getByText("LAPTOP-GRACE is activated.")).toBeFocused();
  const validated = await laptop.callAddin("validate", { licenceCode, machineToken });
  expect(validated).toMatchObject({ resultCode: ResultCode.VALID });

  const tower = startBrowserAddin(page, "TOWER-GRACE", "");
  const second = await tower.begin();
  await page.goto("/activate/");
  await page.getByLabel("Code").fill(second.user_code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Activate TOWER-GRACE?" })).toBeFocused();
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByLabel("Device to replace")).toBeFocused();
  await page.getByLabel("Device to replace").selectOption({ index: 1 });
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/Go back to the add-in on TOWER-GRACE/)).toBeVisible();
  const swapped = await tower.callAddin("device-authorization/token", { device_code: second.device_code });
  expect(swapped.resultCode).toBe(ResultCode.VALID);
  await expect(page.getByText("TOWER-GRACE is activated.")).toBeVisible();
  const replaced = await laptop.callAddin("validate", { licenceCode, machineToken });
  expect(replaced.resultCode).toBe(ResultCode.NOT_ACTIVATED);
});

test("denies an unknown device and reports it to the add-in", async ({ page }) => {
  const stranger = startBrowserAddin(page, "STRANGER", "");
  const { device_code: deviceCode, verification_uri_complete: link } = await stranger.begin();
  await page.goto(link);
  await page.getByLabel("Username").fill("ada@demo.test");
  await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "This wasn't me" }).click();
  await expect(page.getByText("Nothing was activated on STRANGER.")).toBeFocused();
  await expectNoHorizontalScroll(page);
  expect(await stranger.refusalOfPoll(deviceCode)).toBe("access_denied");
});
