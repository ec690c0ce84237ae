import type { Page } from "@playwright/test";
import { createClickOnceBuild } from "#tests/factories/click-once.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

/** A stage that no other test uses. */
const stage = { value: 5, label: "Special Version (xt333)" };

test("staff upload and publish two builds and roll back, and add-ins get what the screen says", async ({ page }) => {
  // Versions must increase, also between test runs.
  const seconds = Math.trunc(performance.timeOrigin / 1_000);
  const [older, newer] = [2, 3].map((major) => `${seconds >>> 16}.${seconds & 0xffff}.${major}`) as [string, string];

  await signInAsDemo(page, "admin");
  await page.getByRole("link", { name: "Manage Software" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Upload Software" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Builds" }).getByText("7.4.0", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Upload", exact: true })).toHaveCount(0);

  await page.getByLabel("Software stage").selectOption({ label: stage.label });
  const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no manifest") };
  await page.getByLabel("Vsto file").setInputFiles(notes);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Installation file is required.")).toBeVisible();
  await expect(page.getByLabel("Installation file")).toBeFocused();
  await expectAccessible(page, "an upload with errors");

  await upload(page, older);
  await publish(page, older);
  await expectOffered(page, older);
  await upload(page, newer);
  await publish(page, newer);
  await expectOffered(page, newer);

  await page.getByRole("button", { name: `Actions for ${newer} for ${stage.label}` }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Planvarro.vsto", exact: true })).toBeVisible();
  await expectAccessible(page, "a build's details");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: `Roll back to ${older}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expectOffered(page, older);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});

/** Uploads a ClickOnce build of a version. */
async function upload(page: Page, version: string): Promise<void> {
  const { installer, zip, vsto } = await createClickOnceBuild(version);
  await page.getByLabel("Software stage").selectOption({ label: stage.label });
  const files = { "Installation file": installer, "Application files zip file": zip, "Vsto file": vsto };
  for (const [label, { name, content }] of Object.entries(files))
    await page.getByLabel(label).setInputFiles({ name, mimeType: "application/octet-stream", buffer: content });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: `Version ${version} has been uploaded` })).toContainText(
    "The software has been uploaded successfully.",
  );
}

/** Publishes the new upload with the button in its message. */
async function publish(page: Page, version: string): Promise<void> {
  await page.getByRole("button", { name: `Publish ${version}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("button", { name: `Publish ${version}` })).toHaveCount(0);
  await expect(page.getByText(`${stage.label} now offers ${version}.`)).toBeVisible();
}

/** Expects the stage's card and the update check to offer a version. */
async function expectOffered(page: Page, version: string): Promise<void> {
  const card = page.getByRole("listitem", { name: stage.label });
  await expect(card.getByText(`${version} since`)).toBeVisible();
  const update = await page.request.get(`/v1/software/update?stage=${stage.value}&version=0.0.1`);
  expect(await update.json()).toMatchObject({ version });
}
