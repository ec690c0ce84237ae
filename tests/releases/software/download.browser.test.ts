import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, expectAccessible, signInAsDemo, test } from "#tests/support/browser.ts";

test("downloads the complete installer under its own file name from the licence's row", async ({ page }) => {
  await signInAsDemo(page, "ada");
  const openMenu = () => page.getByRole("button", { name: "Actions for XER Bridge Professional" }).click();
  await openMenu();
  await page.keyboard.press("End");
  const download = page.getByRole("menuitem", { name: "Download", exact: true });
  await expect(download).toBeFocused();
  await expect(download).toHaveAccessibleDescription("7.2.0, 4 kB");
  await expectAccessible(page, "a licence's menu");
  const started = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const file = await started;
  expect(file.suggestedFilename()).toBe("XER-Bridge-Setup-7.2.0.exe");
  const update = await (await page.request.get("/v1/software/update?version=7.1.0")).json();
  const content = await readFile(await file.path());
  expect(createHash("sha256").update(content).digest("hex")).toBe(update.sha256);
});
