import { test } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { expect, expectAccessible, signIn } from "#tests/support/browser.ts";
import { createCustomer } from "#tests/support/browser-people.ts";
import { extractJws, readProof } from "#tests/support/proof.ts";

const BANNER = "You're offline. We'll reconnect automatically.";

// The browser logs an error for each file that it can't load offline.
test("a customer goes offline, keeps what they entered and activates an offline device", async ({ page, context }) => {
  const customer = await createCustomer(page);
  const licenceCode = await customer.startTrial();
  const nonce = crypto.randomUUID();
  const fingerprint = `fingerprint-${crypto.randomUUID()}`;
  const client = { clientTimeUtc: new Date().toISOString(), addInVersion: "7.2.0", hostVersion: "16.0.17328" };
  const machine = { machineName: "SITE-07|corp", fingerprint, isVm: false };
  const request = { licenceCode, nonce, ...client, machine };

  // 1. A page that can't load offline opens once the network is back.
  await signIn(page, customer);
  await page.goto("/licences/");
  const link = page.getByRole("link", { name: "Offline activation" });
  await expect(link).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: BANNER })).toBeVisible();
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "We lost the connection" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/pages/maintenance");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/We still can.t connect/)).toBeVisible();
  await expectAccessible(page, "the page without a connection");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Offline activation" })).toBeVisible();
  await expect(page.getByText(BANNER)).toBeHidden();

  // 2. A form that couldn't be sent keeps its input, and works once the network is back.
  // Registered early, because the browser intercepts file dialogs only while there is a listener.
  page.on("filechooser", () => {});
  const fileChooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file" }).press("Enter");
  const buffer = Buffer.from(Buffer.from(JSON.stringify(request)).toString("base64"));
  await (await fileChooser).setFiles({ name: "request.txt", mimeType: "text/plain", buffer });
  await expect(page.getByText("SITE-07", { exact: true })).toBeVisible();
  await expect(page.getByText(licenceCode)).toBeVisible();
  await expectAccessible(page, "offline activation");
  await context.setOffline(true);
  await expect(page.getByText(BANNER)).toBeVisible();
  await page.getByRole("button", { name: "Activate" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
  await expect(page.getByText(licenceCode)).toBeVisible();
  await page.getByRole("button", { name: "Activate" }).click();
  await expect(page.getByRole("heading", { name: "The licence file for SITE-07 is ready" })).toBeFocused();

  // 3. The licence file proves the licence to the device, which is then locked.
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download licence-SITE-07.lic" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("licence-SITE-07.lic");
  const keys = await (await page.request.get("/v1/licence/signing-keys")).json();
  const file = readProof(extractJws(await readFile(await download.path(), "utf8")), keys);
  expect(file?.header.typ).toBe("licence-file");
  expect(file?.payload).toMatchObject({ nonce, fingerprint, data: { valid: true, licence: { productLevel: 3 } } });
  await page.getByRole("link", { name: "Manage Activated Devices" }).click();
  await expect(page.getByRole("heading", { name: "SITE-07" })).toBeVisible();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("dialog", { name: "Device is locked" })).toBeVisible();
  await expectAccessible(page, "a locked device");
});
