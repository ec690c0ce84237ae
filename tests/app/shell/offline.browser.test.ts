import { expect, type Page, test } from "@playwright/test";
import { signInAsDemo } from "#tests/support/browser.ts";

const BANNER = "You're offline. We'll reconnect automatically.";

/** Maximum number of console errors: one for each missing file and for the error shown. */
const MAX_ERRORS = 25;

/** Starts counting the console errors of the page. Returns a function that returns the count so far. */
function countErrors(page: Page): () => number {
  let count = 0;
  page.on("console", (message) => {
    if (message.type() === "error") count += 1;
  });
  page.on("pageerror", () => {
    count += 1;
  });
  return () => count;
}

/** Checks that the page draws frames and responds within a second, and that its console is quiet. */
async function expectStable(page: Page, getErrorCount: () => number): Promise<void> {
  const frames = () =>
    page.evaluate(async () => {
      const begun = performance.now();
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    });
  await frames();
  const before = getErrorCount();
  expect(await frames()).toBeLessThan(1_500);
  expect(getErrorCount() - before).toBeLessThanOrEqual(1);
  expect(getErrorCount()).toBeLessThan(MAX_ERRORS);
}

const expectReady = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-page-ready", "");

test("shows the offline banner on a public page and hides it when the network is back", async ({ page, context }) => {
  await page.goto("/");
  await expectReady(page);
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: BANNER })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
});

test("opens the maintenance page when a public page can't load offline, and returns when the network is back", async ({
  page,
  context,
}) => {
  const getErrorCount = countErrors(page);
  await page.goto("/");
  await expectReady(page);
  await context.setOffline(true);
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "We lost the connection" })).toBeVisible();
  await expect(page.getByText(BANNER)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/We still can.t connect/)).toBeVisible();
  await expectStable(page, getErrorCount);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/contact-us/");
});

for (const { button, title } of [
  { button: "Tax Invoices", title: "Tax Invoices" },
  { button: "Update My Details", title: "Update Your Profile" },
])
  test(`opens ${title} after it was clicked offline`, async ({ page, context }) => {
    const getErrorCount = countErrors(page);
    await signInAsDemo(page, "ada");
    await expect(page.getByRole("link", { name: button, exact: true }).first()).toBeVisible();
    const href = await page.getByRole("link", { name: button, exact: true }).first().getAttribute("href");
    await context.setOffline(true);
    await page.getByRole("link", { name: button, exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "We lost the connection" })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/pages/maintenance");
    await expectStable(page, getErrorCount);
    await context.setOffline(false);
    await expect(page).toHaveURL(new RegExp(`${href}$`));
    await expect(page.getByRole("heading", { level: 1, name: "We lost the connection" })).toBeHidden();
  });

test("keeps a form that couldn't be sent offline, and sends it when the network is back", async ({ page, context }) => {
  const getErrorCount = countErrors(page);
  await page.goto("/contact-us/");
  await expectReady(page);
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByLabel("Phone").fill("0400 000 000");
  await page.getByLabel("Message").fill("Do you import calendars?");
  await context.setOffline(true);
  await expect(page.getByText(BANNER)).toBeVisible();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Unable to send your message." })).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("Do you import calendars?");
  await expectStable(page, getErrorCount);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Your message has been successfully sent.").first()).toBeVisible();
});

test("keeps an open dialog and its text while offline", async ({ page, context }) => {
  const getErrorCount = countErrors(page);
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("Build server");
  await context.setOffline(true);
  await expect(page.getByText(BANNER)).toBeVisible();
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(dialog.getByRole("textbox").first()).toHaveValue("Build server");
  await expectStable(page, getErrorCount);
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
  await expect(dialog.getByRole("textbox").first()).toHaveValue("Build server");
});

test("opens a dialog requested offline once the network is back", async ({ page, context }) => {
  const getErrorCount = countErrors(page);
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  const create = page.getByRole("button", { name: "Create token" });
  await expect(create).toBeVisible();
  await context.setOffline(true);
  await create.click();
  await expect(page.getByRole("alert").filter({ hasText: "You're offline. This part of the page" })).toBeVisible();
  await expectStable(page, getErrorCount);
  await context.setOffline(false);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("keeps the text in a dialog when the server returns an error page", async ({ page }) => {
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("Build server");
  await page.route("**/graphql", (route) => route.fulfill({ status: 500, body: "<h1>Internal error</h1>" }));
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(dialog.getByRole("textbox").first()).toHaveValue("Build server");
  expect(new URL(page.url()).pathname).toBe("/personal-access-tokens/");
});

test("shows the offline banner in the schema explorer", async ({ page, context }) => {
  await page.goto("/playground/");
  await expect(page.getByRole("main")).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: BANNER })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(BANNER)).toBeHidden();
});
