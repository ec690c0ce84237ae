import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("lets an admin open a device and an attention list with the keyboard alone", async ({ page }) => {
  await signInAsDemo(page, "admin");
  const box = page.getByRole("combobox", { name: "Find anyone or anything" });
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
  await page.keyboard.type("bne-plan-007");
  await expect(page.getByRole("option", { name: /^BNE-PLAN-007 Ada Byron/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Manage Activated Devices" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "BNE-PLAN-007" })).toBeVisible();

  // The search works on every page and reports when it finds nothing.
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
  await page.keyboard.type("nobody-at-all");
  await expect(page.getByText("Nothing matches “nobody-at-all”.", { exact: false })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(box).toHaveValue("");

  await page.goto("/admin/");
  const number = page.getByRole("link", { name: /Unconfirmed accounts/ });
  await expect(number).toHaveText(/^[1-9]/);
  const count = Number.parseInt((await number.textContent()) ?? "", 10);
  await page.keyboard.press("Control+k");
  for (let tabs = 0; tabs < 6 && !(await number.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Unconfirmed accounts" })).toBeFocused();
  await expect(page.getByText(`1–${Math.min(count, 10)} of ${count}`)).toBeVisible();
});
