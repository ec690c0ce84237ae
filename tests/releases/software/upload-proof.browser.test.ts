import { createClickOnceBuild } from "#tests/factories/click-once.ts";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("continues an upload after a proof of identity without losing the files", async ({ page }) => {
  // Versions must increase, also between test runs.
  const seconds = Math.trunc(performance.timeOrigin / 1_000);
  const version = `${seconds >>> 16}.${seconds & 0xffff}.9`;
  const { installer, zip, vsto } = await createClickOnceBuild(version);
  let refusals = 0;
  // The first upload is refused as the API refuses one whose proof has expired.
  await page.route("**/graphql", async (route) => {
    const isUpload = route.request().headers()["content-type"]?.startsWith("multipart/form-data");
    if (!isUpload || refusals > 0) return route.continue();
    refusals++;
    const error = { message: "Please confirm that it's you first.", extensions: { code: "STEP_UP_REQUIRED" } };
    return route.fulfill({ status: 200, json: { data: null, errors: [error] } });
  });

  await signInAsDemo(page, "admin", "/admin/manage-software/");
  await page.getByLabel("Software stage").selectOption({ label: "Special Version (xt223)" });
  for (const [label, { name, content }] of [
    ["Installation file", installer],
    ["Application files zip file", zip],
    ["Vsto file", vsto],
  ] as const)
    await page.getByLabel(label).setInputFiles({ name, mimeType: "application/octet-stream", buffer: content });
  await page.getByRole("button", { name: "Upload", exact: true }).click();

  const dialog = page.getByRole("dialog", { name: "Confirm that it's you" });
  await dialog.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`Version ${version} has been uploaded to Special Version (xt223)`).first()).toBeVisible();
  expect(refusals).toBe(1);
});
