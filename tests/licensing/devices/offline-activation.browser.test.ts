import { readFile } from "node:fs/promises";
import { expect, findEmailedLink, newPersonPassword, registerPerson, test } from "#tests/support/browser.ts";
import { extractJws, readProof } from "#tests/support/proof.ts";

test.describe.configure({ timeout: 90_000 });

test("activates a device offline with the keyboard and shows it as locked", async ({ page }) => {
  const email = await registerPerson(page);
  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByText("You have successfully confirmed your email.")).toBeVisible();
  const signIn = { UserName: email, Password: newPersonPassword, ClientId: "portal", GrantType: "password" };
  const { access_token } = await (await page.request.post("/v1/core/auth/token", { data: signIn })).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const licenceCode: string = await (await page.request.post("/v1/subscriptions/create-trial", { headers })).json();

  const nonce = crypto.randomUUID();
  const fingerprint = `fingerprint-${crypto.randomUUID()}`;
  const request = {
    licenceCode,
    nonce,
    clientTimeUtc: new Date().toISOString(),
    addInVersion: "7.2.0",
    hostVersion: "16.0.17328",
    machine: { machineName: "SITE-07|corp", fingerprint, isVm: false },
  };

  // Registered early, because the browser intercepts file dialogs only while there is a listener.
  page.on("filechooser", () => {});
  await page.goto("/my-account/");
  await page.getByRole("link", { name: "Offline activation" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Offline activation" })).toBeFocused();
  await page.getByRole("button", { name: "Choose a file" }).focus();
  const fileChooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  const buffer = Buffer.from(Buffer.from(JSON.stringify(request)).toString("base64"));
  await (await fileChooser).setFiles({ name: "request.txt", mimeType: "text/plain", buffer });
  await expect(page.getByText("SITE-07", { exact: true })).toBeVisible();
  await expect(page.getByText(licenceCode)).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Activate" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "The licence file for SITE-07 is ready" })).toBeFocused();

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download licence-SITE-07.lic" }).press("Enter");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("licence-SITE-07.lic");
  const text = await readFile(await download.path(), "utf8");
  const keys = await (await page.request.get("/v1/licence/signing-keys")).json();
  const file = readProof(extractJws(text), keys);
  expect(file?.header.typ).toBe("licence-file");
  expect(file?.payload).toMatchObject({ nonce, fingerprint, data: { valid: true, licence: { productLevel: 3 } } });

  await page.getByRole("link", { name: "Manage Activated Devices" }).press("Enter");
  await expect(page.getByRole("heading", { name: "SITE-07" })).toBeVisible();
  await page.getByRole("button", { name: "Deactivate" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Device is locked" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
