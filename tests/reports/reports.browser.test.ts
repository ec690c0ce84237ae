import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectNoSidewaysScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("an admin looks at a report's first rows and its plot, and downloads it under its own name", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.getByRole("link", { name: /^Reports/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reports" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" })).toHaveCount(0);
  await page.getByLabel("Report Type").selectOption("Users");
  await page.getByLabel("Format").selectOption("csv");
  await page.getByRole("button", { name: "All time" }).click();
  await expect(page.getByText(/^\d+ rows$/)).toBeVisible();
  await expect(page.getByRole("img", { name: /Users, rows/ })).toBeVisible();
  await expectAccessible(page, "the reports");
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(/^Users-2000-01-01-to-\d{4}-\d\d-\d\d\.csv$/);
  const said = Number((await page.getByText(/^\d+ rows$/).textContent())?.replace(/\D/g, ""));
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
  expect(lines[0]).toContain("First Name");
  expect(lines.length - 1).toBe(said);
  await expect(page.getByText("The report has been exported successfully.")).toBeVisible();

  await page.getByRole("button", { name: "Save This Report" }).click();
  await expect(page.getByRole("dialog", { name: "Save A Report" })).toBeVisible();
  await expectAccessible(page, "saving a report");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await page.goto("/admin/report-file/?t=nobody");
  await expect(page.getByRole("link", { name: "Go to Reports" })).toBeVisible();
  await expectAccessible(page, "a link that does not work");
  await expectNoSidewaysScroll(page);
});
