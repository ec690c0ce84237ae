import { expect, findEmailedLink, test } from "#tests/support/browser.ts";
import { tabTo, tabToField } from "#tests/support/keyboard.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("registers, starts a trial, copies the licence code and deactivates a device using only the keyboard", async ({
  page,
}) => {
  const email = `grace.${crypto.randomUUID()}@example.test`;
  const { keyboard } = page;
  await page.goto("/register/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const typed: [string, string][] = [
    ["First Name", "Grace"],
    ["Last Name", "Hopper"],
    ["Position", "Planner"],
    ["Email", email],
    ["Phone", "0400 000 000"],
    ["Password", "Compiler-1952"],
    ["Confirm password", "Compiler-1952"],
    ["Street number", "1"],
    ["Street name", "Queen Street"],
    ["City", "Brisbane"],
    ["State", "QLD"],
    ["Post Code", "4000"],
  ];
  for (const [label, value] of typed) {
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
  await tabTo(page, "button", "Actions for XER Bridge Trial");
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("Enter");
  const codeDialog = page.getByRole("dialog", { name: "Licence code" });
  await expect(codeDialog.getByText(licenceCode.slice(0, 17))).toBeVisible();
  await keyboard.press("Escape");
  await expect(codeDialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions for XER Bridge Trial" })).toBeFocused();
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
  await tabTo(page, "button", "Yes");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully deactivated the device.")).toBeVisible();
  await expect(page.locator(":focus")).toContainText("0 of 1 device in use");

  await tabTo(page, "link", "Logout");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/");
});
