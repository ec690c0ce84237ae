import { expect, registerPerson, signInAsDemo, test } from "#tests/support/browser.ts";
import { tabTo, tabToField } from "#tests/support/keyboard.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("lets an admin manage a customer and a licence with the keyboard alone", async ({ page }) => {
  const { keyboard } = page;
  const focused = page.locator(":focus");
  const email = await registerPerson(page);
  await signInAsDemo(page, "admin");

  // 1. Find the customer with the search, which Ctrl+K opens on every page.
  await keyboard.press("Control+k");
  await keyboard.type(email);
  await expect(page.getByRole("option", { name: /^Grace Hopper/ })).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Update User" })).toBeFocused();

  // 2. Save a detail with Enter. The focus stays in the form.
  await expect(page.getByLabel("Company", { exact: false }).first()).toBeVisible();
  await tabTo(page, "tab", "User Details");
  await tabToField(page, "Position");
  await keyboard.press("Control+a");
  await keyboard.type("Principal Planner");
  await keyboard.press("Enter");
  await expect(page.getByText("The user details have been updated.")).toBeVisible();
  await expect(page.getByLabel("Position", { exact: true })).toBeFocused();

  // 3. Add a licence. Arrow keys switch tabs, and the dialog returns the focus to the button that opened it.
  for (let stops = 0; stops < 40 && (await focused.getAttribute("role")) !== "tab"; stops++)
    await keyboard.press("Shift+Tab");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Licences" })).toBeFocused();
  await expect(page.getByText("No Licences.")).toBeVisible();
  await tabTo(page, "button", "Add A Licence");
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add A Licence" });
  await expect(dialog).toBeVisible();
  for (const [label, words] of [
    ["Product level", "Corporate"],
    ["Licence type", "Multi"],
    ["Licence category", "Trans"],
    ["Licence activation type", "Stand"],
  ] as const) {
    await tabToField(page, label);
    await keyboard.type(words);
  }
  await expect(dialog.getByLabel("Licence type", { exact: true })).toHaveValue("2");
  await tabTo(page, "button", "Save");
  await keyboard.press("Enter");
  await expect(page.getByText("You have successfully added a licence.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Add A Licence" })).toBeFocused();

  // 4. View and copy the code. Escape returns the focus to where each dialog was opened.
  await tabTo(page, "button", /^Actions for XER Bridge Corporate/);
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("Enter");
  const code = await page.getByRole("dialog", { name: "Licence code" }).locator("code").innerText();
  await keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Actions for XER Bridge Corporate/ })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "View licence code" })).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code.replace(/\s/g, ""));

  // 5. Reset the deactivation counter.
  for (let stops = 0; stops < 20 && !(await focused.innerText()).startsWith("Reset Licence"); stops++)
    await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Reset Licence Deactivation Counter" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByText("The user's licence deactivation counter has been reset successfully.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reset Licence Deactivation Counter" })).toBeFocused();
});
