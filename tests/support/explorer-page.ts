import type { Locator, Page } from "@playwright/test";
import { expect } from "./browser.ts";

/** Returns the region that shows the response. */
export const answer = (page: Page) => page.getByRole("region", { name: "Result Window" });

/** Runs the document in the editor. */
export const run = (page: Page) => page.getByRole("button", { name: /^Execute query/ }).click();

/** Opens the explorer with its first example. */
export async function open(page: Page, path = "/playground/"): Promise<void> {
  expect((await page.goto(path))?.status()).toBe(200);
  // Assertions would look only once a second.
  await page.getByRole("button", { name: "Examples", disabled: false }).waitFor();
  await page.locator(".graphiql-query-editor .view-line").first().filter({ hasText: "Needs no sign-in" }).waitFor();
}

/** Chooses an example from the menu. */
export async function choose(page: Page, example: string): Promise<void> {
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("group", { name: "Examples" }).getByRole("button", { name: example }).click();
}

/** Submits email and password in the explorer's dialog and returns the dialog. */
export async function openSignInDialog(page: Page, email: string, password: string): Promise<Locator> {
  await page.getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to the explorer" });
  await dialog.getByLabel("Username").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  return dialog;
}
