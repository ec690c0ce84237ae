import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, expectAccessible, expectNoHorizontalScroll, test } from "#tests/support/browser.ts";
import { answer, openSignInDialog, choose, open, run } from "#tests/support/explorer-page.ts";

async function signIn(page: Page, name: string): Promise<void> {
  const dialog = await openSignInDialog(page, `${name}@demo.test`, "Demo-pass-1");
  await expect(dialog).toHaveCount(0);
}

const builder = (page: Page) => page.getByRole("region", { name: "Query builder" });
const editor = (page: Page) => page.locator(".graphiql-query-editor");
const field = (page: Page, name: RegExp) => builder(page).getByRole("checkbox", { name });
const status = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text });

async function openBuilder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Show Query builder" }).click();
  await expect(builder(page)).toBeVisible();
}

test("builds a query with clicks and runs it", async ({ page }) => {
  await open(page);
  await openBuilder(page);
  await expect(field(page, /^plans/)).toBeChecked();
  await field(page, /^plans/).uncheck();
  await builder(page).getByRole("searchbox", { name: "Filter fields" }).fill("address");
  await field(page, /^addressSuggestions/).check();
  await builder(page).getByRole("textbox", { name: "Value of country" }).fill("Australia");
  await builder(page).getByRole("textbox", { name: "Value of text" }).fill("Brisb");
  await field(page, /^label/).check();
  await expect(editor(page)).toContainText('addressSuggestions(country: "Australia", text: "Brisb")');
  await run(page);
  await expect(answer(page)).toContainText("Brisbane");
});

test("builds nested arguments and fields with the keyboard alone", async ({ page }) => {
  await open(page);
  await signIn(page, "admin");
  await openBuilder(page);
  await field(page, /^plans/).focus();
  await page.keyboard.press("Space");
  await expect(field(page, /^plans/)).not.toBeChecked();
  await builder(page).getByRole("searchbox").focus();
  await page.keyboard.type("users");
  // The search also finds `userSummary`, which comes first.
  await expect(builder(page).getByRole("checkbox")).toHaveCount(2);
  await field(page, /^users/).focus();
  await page.keyboard.press("Space");
  await expect(field(page, /^users/)).toBeChecked();
  await field(page, /^filter$/).focus();
  await page.keyboard.press("Space");
  await field(page, /^limit$/).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3");
  await field(page, /^total/).focus();
  await page.keyboard.press("Space");
  await expect(editor(page)).toContainText("users(filter: {limit: 3})");
  await page.getByRole("button", { name: /^Execute query/ }).focus();
  await page.keyboard.press("Enter");
  await expect(answer(page)).toContainText('"total":');
});

test("allows one mutation at a time and reports syntax errors", async ({ page }) => {
  await open(page);
  await openBuilder(page);
  await builder(page).getByRole("radio", { name: "Mutation" }).check();
  await field(page, /^endOtherSessions/).check();
  await field(page, /^signOut/).check();
  await expect(field(page, /^endOtherSessions/)).not.toBeChecked();
  await expect(editor(page)).toContainText("mutation {");
  await editor(page).locator(".view-lines").click();
  await page.keyboard.insertText("}");
  await expect(builder(page)).toContainText("The query has a syntax error.");
});

test("runs a mutation example as a customer and one as an admin", async ({ page }) => {
  await open(page);
  await signIn(page, "ada");
  await choose(page, "Price with a promo code");
  await run(page);
  await expect(answer(page)).toContainText('"discountCents":');
  await expect(answer(page)).not.toContainText('"errors"');
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, "admin");
  await choose(page, "Check a bulk extension");
  await run(page);
  await expect(answer(page)).toContainText("30 days added");
});

test("downloads the schema definition", async ({ page }) => {
  await open(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download SDL" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("schema.graphql");
  expect(readFileSync(await download.path(), "utf8")).toBe(readFileSync("schema/schema.graphql", "utf8"));
});

test("shows the cost limit of the role and runs a large query as an admin", async ({ page }) => {
  await open(page);
  await choose(page, "Fifty users with everything");
  await expect(status(page, /Query too expensive: cost [\d,]+, limit 1,000$/)).toBeVisible();
  await signIn(page, "admin");
  await expect(status(page, /Will cost [\d,]+ ?of 10,000/)).toBeVisible();
  await run(page);
  // The editor draws only the lines in view.
  await expect(answer(page)).toContainText('"contacts":');
  await expect(status(page, /Cost [\d,]+ ?of 10,000 ?[\d,]+ ms/)).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(status(page, /Query too expensive: cost [\d,]+, limit 1,000$/)).toBeVisible();
});

test("query builder is accessible and fits on wide screens and phones", async ({ page }) => {
  await open(page);
  await openBuilder(page);
  await builder(page).getByRole("searchbox").fill("address");
  await field(page, /^addressSuggestions/).check();
  await expectAccessible(page, "the query builder");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(builder(page)).toHaveCount(0);
  await openBuilder(page);
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "the query builder on a phone");
});
