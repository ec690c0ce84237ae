import { expect, test } from "@playwright/test";
import { registerPerson, signInAsDemo } from "#tests/support/browser.ts";

test("finds, deletes and restores a user", async ({ page }) => {
  const email = await registerPerson(page);
  await signInAsDemo(page, "admin", "/admin/manage-users/");
  await page.getByLabel("Search").fill(email);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: email });
  const choose = async (action: string) => {
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: action }).click();
    await page.getByRole("button", { name: "Yes" }).click();
  };
  await choose("Delete");
  await expect(page.getByText("The user has been successfully deleted.")).toBeVisible();
  await expect(row.getByRole("cell", { name: "Yes" })).toHaveCount(0);
  await choose("Restore");
  await expect(page.getByText("The user has been restored.")).toBeVisible();
  await expect(row.getByRole("cell", { name: "Yes" })).toHaveCount(1);
});

test("keeps the search and order when going back from a user", async ({ page }) => {
  const email = await registerPerson(page, { firstName: "Hedy", lastName: "Lamarr" });
  await signInAsDemo(page, "admin", "/admin/manage-users/");
  await page.getByRole("button", { name: "Company" }).click();
  await page.getByLabel("Search").fill(email);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await page.getByRole("link", { name: "Hedy Lamarr" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Hedy Lamarr|Update User/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page.getByLabel("Search")).toHaveValue(email);
  await expect(page.getByRole("columnheader", { name: "Company" })).toHaveAttribute("aria-sort", "ascending");
});

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
