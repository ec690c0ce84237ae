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

test("reloads once after a deployment removed the files of a page, and shows the page of the new release", async ({
  page,
}) => {
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

test("shows an error page after one reload while files stay missing, and never loops", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-page-ready", "");
  const loads = countLoads(page);
  let errorCount = 0;
  page.on("console", (message) => {
    if (message.type() === "error") errorCount += 1;
  });
  const { restore } = await removeFiles(page, "**/assets/contact-us-*");
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "This page didn't load" })).toBeVisible();
  expect(loads()).toBe(1);
  // From here on, only the user can retry. The page doesn't reload automatically.
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(loads).toBe(2);
  await expect(page.getByRole("heading", { level: 1, name: "This page didn't load" })).toBeVisible();
  expect(loads()).toBe(2);
  expect(errorCount).toBeLessThan(40);
  await restore();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeVisible();
  expect(loads()).toBe(3);
});

test("reloads at most once when the portal's entry file is missing", async ({ page }) => {
  const loads = countLoads(page);
  await page.route("**/assets/index-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/faqs/");
  const missed = () => page.waitForResponse((response) => response.url().includes("/assets/index-"));
  await missed();
  await expect.poll(loads).toBe(2);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(() => sessionStorage.getItem("xer-portal.reloaded-for"));
  expect(loads()).toBe(2);
});

test("keeps the page when a dialog's files were removed", async ({ page }) => {
  await signInAsDemo(page, "ada", "/personal-access-tokens/");
  const create = page.getByRole("button", { name: "Create token" });
  await expect(create).toBeVisible();
  const loads = countLoads(page);
  await removeFiles(page, "**/assets/create-token-dialog-*");
  await create.click();
  await expect(page.getByRole("alert").filter({ hasText: "We couldn't load this part of the page." })).toBeVisible();
  await expect(create).toBeVisible();
  expect(loads()).toBe(0);
});
