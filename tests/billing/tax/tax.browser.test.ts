import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { parseCents } from "#schema/money.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

/** Presses a button with a menu, chooses CSV, and returns the lines of the file without its titles. */
async function downloadCsv(page: Page, label: string): Promise<string[]> {
  await page.getByRole("button", { name: label }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  return (await readFile(await (await download).path(), "utf8")).trim().split(/\r?\n/).slice(1);
}

test("opens the rows of a tax figure, which add up to it, and downloads them", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Tax" }).click();
  await expect(page.getByRole("table", { name: "GST summary" })).toBeVisible();
  // A new quarter has no sales yet.
  const today = getCalendarDay(new Date());
  await page.goto(`/admin/tax/?start=${addDays(today, -365)}&end=${today}`);
  const summary = page.getByRole("table", { name: "GST summary" });
  await page.getByText("Cash", { exact: true }).click();
  const link = page.getByRole("link", { name: "Total sales, including GST", exact: true });
  await expect(link).toHaveAttribute("href", /basis=cash/);
  await link.click();
  const cells = summary.getByRole("row").filter({ has: link }).getByRole("cell");
  const amount = (await cells.nth(3).textContent()) ?? "";
  const count = Number((await cells.nth(4).textContent())?.replaceAll(",", ""));
  await expect(page.getByRole("status").filter({ hasText: `Sum: ${amount}` })).toBeVisible();
  await expectAccessible(page, "the GST summary");
  expect(parseCents(amount)).toBeGreaterThan(0);
  await expect(page).toHaveURL(/basis=cash.*figure=total-sales|figure=total-sales.*basis=cash/);
  expect(await downloadCsv(page, "Export these rows")).toHaveLength(count);
  expect((await downloadCsv(page, "Export summary")).join("\n")).toContain("Total sales");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});
