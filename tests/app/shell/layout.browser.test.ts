import { brand } from "#schema/brand.ts";
import { expect, test } from "#tests/support/browser.ts";

for (const width of [1100, 900])
  test(`keeps Product and Trial & Subscribe in the header at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const main = page.getByRole("navigation", { name: "Main" });
    for (const name of ["Product", "Trial & Subscribe"]) await expect(main.getByRole("link", { name })).toBeVisible();
    await expect(main.getByRole("link", { name: "Legals" })).toBeHidden();
    await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
  });

for (const [width, columns] of [
  [600, 2],
  [1200, 3],
] as const)
  test(`shows ${columns} tutorials in a row at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/resources-and-support/installation-support-tutorials/");
    const grid = page.locator("main ol:has(h2)").first();
    expect(await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length)).toBe(columns);
  });

test("draws the footer before anyone scrolls to it", async ({ page }) => {
  await page.goto("/faqs/");
  const line = page.getByText(`ABN ${brand.company.abn}`);
  expect(await line.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
});
