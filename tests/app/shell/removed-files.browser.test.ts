import { expect, type Page, test } from "@playwright/test";
import { signInAsDemo } from "#tests/support/browser.ts";

/** Responds 404 for files, as after a deployment that removed them, until `restore` is called. */
async function removeFiles(page: Page, files: string): Promise<{ restore: () => Promise<void> }> {
  await page.route(files, (route) => route.fulfill({ status: 404, body: "" }));
  return { restore: () => page.unroute(files) };
}

/** Starts counting the documents that the page's main frame loads. Returns a function that returns the count so far. */
function countLoads(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) count += 1;
  });
  return () => count;
}

test("reloads once after a deployment removed a page's files, and shows the new release's page", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-page-ready", "");
  const loads = countLoads(page);
  const { restore } = await removeFiles(page, "**/assets/contact-us-*");
  page.on("request", (request) => {
    if (request.isNavigationRequest()) void restore();
  });
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeVisible();
  expect(loads()).toBe(1);
});

test("says after one reload that files stay missing, and never loops", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-page-ready", "");
  const notice = page.getByRole("alert").filter({ hasText: "Parts of this page didn't load" });
  const loads = countLoads(page);
  let errorCount = 0;
  page.on("console", (message) => {
    if (message.type() === "error") errorCount += 1;
  });
  const { restore } = await removeFiles(page, "**/assets/contact-us-*");
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await expect(notice).toBeVisible();
  expect(loads()).toBe(1);
  // From here on, only the user can retry. The page doesn't reload automatically.
  const missed = page.waitForResponse((response) => response.status() === 404);
  await page.getByRole("button", { name: "Try again" }).click();
  // The notice of the page before stays until the new one is there.
  await missed;
  await expect(notice).toBeVisible();
  expect(loads()).toBe(2);
  expect(errorCount).toBeLessThan(40);
  await restore();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(loads()).toBe(3);
});

test("shows an error page with a reload that works if the portal shell's scripts are missing", async ({ page }) => {
  await signInAsDemo(page, "ada", "/faqs/");
  await expect(page.locator("html")).toHaveAttribute("data-page-ready", "");
  const loads = countLoads(page);
  const { restore } = await removeFiles(page, "**/assets/portal-*.js");
  await page.getByRole("banner").getByRole("button", { name: "My Account" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Your data" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "This page didn't load" })).toBeVisible();
  expect(loads()).toBe(1);
  await restore();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your data" })).toBeVisible();
  expect(loads()).toBe(2);
});

for (const path of ["/my-account/", "/login/"])
  test(`offers to reload ${path} if the entry file is missing`, async ({ page }) => {
    await signInAsDemo(page, "ada", "/pages/error-403");
    const loads = countLoads(page);
    let missedAt = 0;
    page.on("response", (response) => {
      if (response.status() === 404) missedAt = loads();
    });
    const { restore } = await removeFiles(page, "**/assets/index-*.js");
    await page.goto(path);
    // The file comes back only after the reloaded page has requested it.
    await expect.poll(() => missedAt).toBe(2);
    await expect(page.getByRole("alert")).toContainText("Parts of this page didn't load");
    expect(loads()).toBe(2);
    await restore();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

for (const { files, what } of [
  { files: "**/assets/*.js", what: "no script" },
  { files: "**/assets/portal-*.js", what: "no shell" },
])
  test(`offers to reload a signed-in page if ${what} ever arrives`, async ({ page }) => {
    await signInAsDemo(page, "ada", "/pages/error-403");
    await page.clock.install();
    let isReloaded = false;
    // Never answered until the page is loaded again.
    await page.route(files, (route) => (isReloaded ? route.continue() : undefined));
    await page.goto("/my-account/", { waitUntil: "commit" });
    page.on("request", (request) => (isReloaded ||= request.isNavigationRequest()));
    await page.clock.runFor(13_000);
    const reload = page.getByRole("main").getByRole("button", { name: "Reload" });
    await reload.or(page.locator("#reload-notice button")).click();
    await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  });

test("keeps the page when a dialog's files were removed", async ({ page }) => {
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  const create = page.getByRole("button", { name: "Create token" });
  await expect(create).toBeVisible();
  const loads = countLoads(page);
  await removeFiles(page, "**/assets/create-token-dialog-*");
  await create.click();
  const notice = page.getByRole("alert").filter({ hasText: "We couldn't load this part of the page." });
  await expect(notice).toBeVisible();
  await expect(create).toBeVisible();
  // A second attempt is answered, too.
  await page.getByRole("button", { name: "Dismiss notification" }).click();
  await create.click();
  await expect(notice).toBeVisible();
  expect(loads()).toBe(0);
});
