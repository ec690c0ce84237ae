import { readFile } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("lets a customer download a tax invoice and add an ABN to future ones", async ({ page }) => {
  await signInAsDemo(page, "ada");
  await page.getByRole("link", { name: "Tax Invoices" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tax Invoices" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Tax Invoices" }).getByRole("row")).toHaveCount(4);
  await expectAccessible(page, "tax invoices");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  const oldest = page.getByRole("table", { name: "Tax Invoices" }).getByRole("row").last();
  const number = (await oldest.getByRole("cell").nth(1).textContent()) ?? "";
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: `Download ${number}` }).click();
  const file = await started;
  expect(file.suggestedFilename()).toBe(`Invoice-${number}.pdf`);
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(await file.path())));
  const { text } = await extractText(pdf, { mergePages: true });
  for (const words of ["Tax invoice", "ABN 51 824 753 556", "GST 10 % $15.00", "Total (AUD) $164.95"])
    expect(text).toContain(words);

  await page.getByRole("button", { name: "Edit details" }).click();
  const dialog = page.getByRole("dialog", { name: "Details on your invoices" });
  await dialog.getByLabel("ABN").fill("51 824 753 557");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Invalid Australian business number format.")).toBeVisible();
  // While the dialog fades in, its colours differ.
  await expect(dialog).toHaveCSS("opacity", "1");
  await expectAccessible(page, "invoice details with an error");
  await dialog.getByLabel("ABN").fill("51824753556");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your invoice details have been updated.")).toBeVisible();
  await expect(page.getByText("51 824 753 556").first()).toBeVisible();
});
