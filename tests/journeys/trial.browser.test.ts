import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ResultCode } from "#schema/result-code.ts";
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  findEmailedLink,
  getRegistrationTexts,
  newPersonPassword,
  test,
} from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";

test.use({ viewport: { width: 390, height: 844 }, permissions: ["clipboard-read", "clipboard-write"] });

test("a visitor registers, confirms, starts a trial, downloads the add-in and activates it", async ({ page }) => {
  const email = `ada.${crypto.randomUUID()}@example.test`;
  const step = async (heading: string) => {
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectNoHorizontalScroll(page);
  };

  const files: string[] = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  // The address of the trial leads to Login, its button to a form that names the trial.
  await page.goto("/try-xer");
  await step("Login");
  await expect(page.getByRole("heading", { name: "Create your account to start the trial" })).toBeVisible();
  await page.goto("/trial-xer/");
  // The button is a plain link before the page's scripts run, and leads to the same form.
  await page.getByRole("main").getByRole("link", { name: "Trial Professional Now for Free" }).click();
  await step("Register");
  await expect(page.getByText("Create your account to start the trial.")).toBeVisible();
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByLabel("First Name")).toBeFocused();
  await expect(page.getByText("First name is required.")).toBeVisible();
  // One import from the portal would bring all of it, and double what the site's pages load.
  expect(files.filter((file) => /^\/assets\/(?:portal|mantine|apollo)-/.test(file))).toEqual([]);
  await expectAccessible(page, "the registration form with errors");
  for (const [label, value] of Object.entries(getRegistrationTexts(email))) await page.getByLabel(label).fill(value);
  await page.getByLabel("Password", { exact: true }).fill(newPersonPassword);
  await page.getByLabel("Confirm password").fill(newPersonPassword);
  await page.getByLabel("State").selectOption("QLD");
  await page.getByRole("button", { name: "Accept terms and privacy policy" }).click();
  await page.getByRole("button", { name: "Submit" }).click();

  await step("Email confirmation");
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page, "the page that waits for the confirmation");
  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByText("You have successfully confirmed your email.")).toBeVisible();

  // The terms of the trial were accepted with those of the account.
  await step("Trial Professional");
  await expect(page.getByRole("heading", { name: /^Welcome to your trial/ })).toBeFocused();
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "the welcome to the trial");
  await page.getByRole("button", { name: "Copy Licence Code" }).click();
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  const licenceCode = await page.evaluate(() => navigator.clipboard.readText());
  expect(licenceCode).toMatch(/^(?:[0-9A-Z]{5}-){5}[0-9A-Z]{5}$/);

  await page.getByRole("link", { name: "Go to My Account" }).click();
  await step("My Account");
  await page.getByRole("button", { name: "Actions for Planvarro Trial" }).click();
  await expectAccessible(page, "the account with the menu of a licence");
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download", exact: true }).click();
  const installer = await started;
  const update = await (await page.request.get("/v1/software/update?version=0.0.1")).json();
  expect(installer.suggestedFilename()).toBe(`Planvarro-Setup-${update.version}.exe`);
  expect(hash("sha256", await readFile(await installer.path()))).toBe(update.sha256);

  const addin = startBrowserAddin(page, "LAPTOP-ADA|planning.local", licenceCode);
  const { machineToken, resultCode } = await addin.callAddin("activate");
  expect(resultCode).toBe(ResultCode.VALID);
  expect(await addin.callAddin("validate", { machineToken })).toMatchObject({ resultCode: ResultCode.VALID });
  const another = await startBrowserAddin(page, "TOWER-ADA", licenceCode).callAddin("activate");
  expect(another).toMatchObject({ resultCode: ResultCode.MACHINE_LIMIT_EXCEEDED });
});
