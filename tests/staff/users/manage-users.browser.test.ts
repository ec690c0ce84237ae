import { expect, test } from "@playwright/test";
import { registerPerson, signInAsDemo } from "#tests/support/browser.ts";

test("keeps the other columns readable next to long names", async ({ page }) => {
  const email = await registerPerson(page, { firstName: "Wolfe".repeat(6), lastName: "Ardin".repeat(6) });
  await signInAsDemo(page, "admin", "/admin/manage-users/");
  await page.getByLabel("Search").fill("Wolfe");
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toHaveCount(1);
  const widths = await row.getByRole("cell").evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
  // First and last name, company, email, after the checkbox.
  for (const width of widths.slice(1, 5)) expect(width).toBeGreaterThanOrEqual(96);
  expect(
    await page.locator("table").evaluate((table) => table.clientWidth <= Number(table.parentElement?.clientWidth)),
  ).toBe(true);
});
