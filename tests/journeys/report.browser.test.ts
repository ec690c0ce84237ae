import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectNoHorizontalScroll, signIn, test } from "#tests/support/browser.ts";
import { createStaff } from "#tests/support/browser-people.ts";

test("staff build a report, narrow its period, download it and save it", async ({ page }) => {
  await signIn(page, await createStaff(page, "owner"));
  await page.goto("/admin/");
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reports" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" })).toHaveCount(0);
  await page.getByLabel("Report type").selectOption("Users");
  await page.getByLabel("Format").selectOption("csv");
  const count = page.getByText(/^[\d,]+ rows?$/);
  const readCount = async () => Number((await count.textContent())?.replace(/\D/g, ""));
  await expect(page.getByRole("img", { name: /Users, rows/ })).toBeVisible();
  const first = await readCount();
  await page.getByRole("button", { name: "All time" }).click();
  await expect.poll(readCount).toBeGreaterThan(first);
  const all = await readCount();

  // A period in the past, in which no other test registers users.
  await page.getByRole("button", { name: "Last financial year" }).click();
  await expect.poll(readCount).toBeLessThan(all);
  const shown = await readCount();
  expect(shown).toBeGreaterThan(0);
  await expectAccessible(page, "the reports");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(/^Users-\d{4}-07-01-to-\d{4}-06-30\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
  expect(lines[0]).toContain("First Name");
  expect(lines.length - 1).toBe(shown);
  await expect(page.getByText("The report has been exported successfully.")).toBeVisible();

  await page.getByRole("button", { name: "Save this report" }).click();
  const dialog = page.getByRole("dialog", { name: "Save a report" });
  await dialog.getByLabel("Name", { exact: true }).fill("New users of the year");
  await expectAccessible(page, "the dialog for saving a report");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("main").getByText("New users of the year")).toBeVisible();
});
