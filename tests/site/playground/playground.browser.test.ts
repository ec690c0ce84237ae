import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectNoHorizontalScroll, test } from "#tests/support/browser.ts";
import { answer, openSignInDialog, choose, open, run } from "#tests/support/explorer-page.ts";

async function signIn(page: Page, name: string): Promise<void> {
  const dialog = await openSignInDialog(page, `${name}@demo.test`, "Demo-pass-1");
  await expect(dialog).toHaveCount(0);
}

test("opens with documentation and a query for visitors, and connects only to this server", async ({
  page,
  baseURL,
}) => {
  const origins = new Set<string>();
  const consoleMessages: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin);
  });
  page.on("console", (message) => consoleMessages.push(message.text()));
  await open(page, "/Playground");
  await expect(page).toHaveTitle(/^Schema explorer · /);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Schema explorer");
  await expect(page.getByRole("main")).toHaveCount(1);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");

  await page.getByRole("link", { name: "Query", exact: true }).click();
  await page.getByRole("link", { name: "plans", exact: true }).click();
  await expect(page.getByText("The plans on sale, the flagship first.")).toBeVisible();

  await expect(page.getByRole("status").filter({ hasText: "Will cost" })).toBeVisible();
  await run(page);
  await expect(answer(page)).toContainText("xer-professional");
  await expect(page.getByRole("status").filter({ hasText: /Cost \d+ ?of 1,000 ?\d+ ms · [\d.]+ k?B/ })).toBeVisible();
  expect([...origins]).toEqual([new URL(baseURL ?? "").origin]);
  expect(consoleMessages).toEqual([]);
});

test("keeps a customer signed in across the explorer and the portal until they sign out", async ({ page }) => {
  await open(page);
  await choose(page, "My licences and devices");
  await expect(page.getByText("requires a customer account. Sign in with one to run it.")).toBeVisible();
  await signIn(page, "ada");
  await expect(page.getByRole("status").filter({ hasText: "Ada Byron" })).toContainText("Customer");
  await expect(page.getByText("Sign in with one to run it.")).toHaveCount(0);
  await run(page);
  await expect(answer(page)).toContainText("BNE-PLAN-007");

  await page.goto("/my-account/");
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await page.goto("/playground/");
  await expect(page.getByRole("status").filter({ hasText: "Ada Byron" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Not signed in")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("xer-portal.session"))).toBeNull();
});

test("warns about an expensive query before it is run, and opens an example in a new tab after edits", async ({
  page,
}) => {
  await open(page);
  await page.locator(".graphiql-query-editor .view-lines").click();
  await page.keyboard.press("ControlOrMeta+a");
  // The editor adds the last bracket.
  await page.keyboard.insertText(
    "{ users(filter: { limit: 100 }) { rows { licences { devices { id machineName } } } }",
  );
  await expect(
    page.getByRole("status").filter({ hasText: /Query too expensive: cost [\d,]+, limit 1,000/ }),
  ).toBeVisible();
  await choose(page, "Plans on sale");
  const tabs = page.getByRole("list", { name: "Select active operation" });
  await expect(tabs.getByRole("listitem")).toHaveCount(2);
  await expect(tabs.getByRole("button", { name: "PlansOnSale" })).toHaveAttribute("aria-current", "true");
});

test("runs the chosen example even if it is run immediately", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: /^Suggested addresses/ }).evaluate((example: HTMLElement) => {
    example.click();
    document.querySelector<HTMLElement>(".graphiql-execute-button")?.click();
  });
  await expect(answer(page)).toContainText("Brisbane");
});

test("does not send text that is not a personal access token", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.getByRole("textbox", { name: "Personal access token" }).fill("xpat_short");
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(page.getByText("A personal access token starts with xpat_ and has 48 characters.")).toBeVisible();
  expect(sent.join()).not.toContain("xpat_");
});

test("explorer, documentation, history, menu of examples and dialogs are accessible in both colour schemes", async ({
  page,
}) => {
  await open(page);
  await run(page);
  await expect(answer(page)).toContainText("xer-professional");
  await expectAccessible(page, "the explorer with a response");
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await expectAccessible(page, "the documentation of a type");

  await page.getByRole("button", { name: "Show History" }).click();
  await expectAccessible(page, "the history");
  await page.getByRole("button", { name: "Examples" }).click();
  await expectAccessible(page, "the menu of examples");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Examples" })).toBeFocused();

  await page.getByRole("button", { name: "Open short keys dialog" }).click();
  await expectAccessible(page, "the short keys");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Username")).toBeFocused();
  await expectAccessible(page, "the sign-in");
});

test("runs an example and opens the documentation on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const documentation = page.getByRole("region", { name: "Documentation Explorer" });
  await expect(documentation).toHaveCount(0);
  await run(page);
  await expect(answer(page)).toContainText("xer-professional");
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Examples" }).click();
  const menu = page.getByRole("group", { name: "Examples" });
  expect(await menu.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0);
  await menu.getByRole("button").last().scrollIntoViewIfNeeded();
  await expect(menu.getByRole("button").last()).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await choose(page, "Suggested addresses");
  await run(page);
  await expect(answer(page)).toContainText("Brisbane");
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await expect(documentation).toBeInViewport();
  await expectAccessible(page, "the documentation on a phone");
  await page.getByRole("button", { name: "Hide Documentation Explorer" }).click();
  await expectAccessible(page, "the explorer on a phone");
});

test("closes the documentation in narrow windows and does not reopen it on reload", async ({ page }) => {
  await open(page);
  const documentation = page.getByRole("region", { name: "Documentation Explorer" });
  await expect(documentation).toBeVisible();
  const types = page.locator(".graphiql-doc-explorer-section-content .graphiql-doc-explorer-type-name");
  const names = (await types.allTextContents()).slice(-40);
  expect(names.length).toBe(40);
  expect(names).toEqual(names.toSorted());
  await page.setViewportSize({ width: 800, height: 844 });
  await expect(documentation).toHaveCount(0);
  await run(page);
  await expect(answer(page)).toContainText("xer-professional");
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await expect(documentation).toBeInViewport();
  await page.reload();
  await expect(page.getByRole("button", { name: "Examples" })).toBeEnabled();
  await expect(page.getByRole("button", { name: "Show Documentation Explorer" })).toBeVisible();
  await expect(documentation).toHaveCount(0);
});

test("runs a query with the keyboard alone", async ({ page }) => {
  await open(page);
  await page.locator(".graphiql-query-editor .graphiql-editor").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(answer(page)).toContainText("xer-professional");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Execute query/ })).toBeFocused();
});
