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
  const text = await readFile(await (await download).path(), "utf8");
  return text.trim().split(/\r?\n/).slice(1);
}

test("opens the rows of each tax figure, which add up to it, and downloads them", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Tax" }).click();
  await expect(page.getByRole("table", { name: "GST summary" })).toBeVisible();
  // A new quarter has no sales yet.
  const today = getCalendarDay(new Date());
  await page.goto(`/admin/tax/?start=${addDays(today, -365)}&end=${today}`);
  const summary = page.getByRole("table", { name: "GST summary" });
  const readFigure = async (label: string) => {
    const cells = summary
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: label, exact: true }) })
      .getByRole("cell");
    return {
      amount: (await cells.nth(3).textContent()) ?? "",
      count: Number((await cells.nth(4).textContent())?.replaceAll(",", "")),
    };
  };
  for (const basis of ["Accrual", "Cash"]) {
    await page.getByText(basis, { exact: true }).click();
    await expect(page.getByRole("region", { name: "GST summary" })).not.toHaveAttribute("aria-busy");
    // The last one is downloaded below.
    for (const label of ["GST on sales", "Adjustments, including GST", "Total sales, including GST"]) {
      const link = summary.getByRole("link", { name: label, exact: true });
      if (basis === "Cash") await expect(link).toHaveAttribute("href", /basis=cash/);
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "true");
      await expect(page.getByRole("heading", { level: 2, name: new RegExp(`^${label}, `) })).toBeVisible();
      const { amount } = await readFigure(label);
      await expect(page.getByRole("status").filter({ hasText: `Sum: ${amount}` })).toBeVisible();
    }
  }
  await expectAccessible(page, "the GST summary");
  const { amount, count } = await readFigure("Total sales, including GST");
  expect(parseCents(amount)).toBeGreaterThan(0);
  await expect(page).toHaveURL(/basis=cash.*figure=total-sales|figure=total-sales.*basis=cash/);
  expect(await downloadCsv(page, "Export these rows")).toHaveLength(count);
  const lines = await downloadCsv(page, "Export summary");
  expect(lines.join("\n")).toContain("Total sales");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});
