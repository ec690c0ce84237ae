import { readFile } from "node:fs/promises";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("lets an admin preview and download a report", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reports" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" })).toHaveCount(0);
  await page.getByLabel("Report type").selectOption("Users");
  await page.getByLabel("Format").selectOption("csv");
  await page.getByRole("button", { name: "All time" }).click();
  await expect(page.getByText(/^\d+ rows$/)).toBeVisible();
  await expect(page.getByRole("img", { name: /Users, rows/ })).toBeVisible();
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(/^Users-2000-01-01-to-\d{4}-\d\d-\d\d\.csv$/);
  const shownCount = Number((await page.getByText(/^\d+ rows$/).textContent())?.replace(/\D/g, ""));
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
  expect(lines[0]).toContain("First Name");
  expect(lines.length - 1).toBe(shownCount);
  await expect(page.getByText("The report has been exported successfully.")).toBeVisible();
});
