import { AxeBuilder } from "@axe-core/playwright";
import { expect, expectNoHorizontalScroll, signInAsDemo, test, waitForScripts } from "#tests/support/browser.ts";

const REFERENCE = "/v1/docs";

test("opens at a call's anchor, filters by search, copies examples and contacts no other host", async ({
  page,
  baseURL,
  context,
}) => {
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${REFERENCE}#post-v1-licence-validate`);
  await expect(page.getByRole("heading", { level: 1, name: "REST API" })).toBeAttached();
  await waitForScripts(page);
  const call = page.locator("#post-v1-licence-validate");
  await expect(call.getByRole("heading", { level: 3 })).toBeInViewport();
  const index = page.getByRole("navigation", { name: "Contents" });
  await expect(index.locator("[aria-current]")).toHaveAttribute("href", "#post-v1-licence-validate");

  await call.getByRole("tab", { name: "JavaScript" }).click();
  await call.getByRole("button", { name: /^Copy the example/ }).click();
  await expect(page.getByText("The example has been copied to the clipboard.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`await fetch("${baseURL}/v1/licence/validate"`);

  await index.getByRole("searchbox", { name: "Search" }).fill("promocode validate");
  await expect(index.getByRole("status")).toHaveText("1 result");
  await index.getByRole("searchbox", { name: "Search" }).press("Enter");
  await expect(page.locator("#post-v1-promocode-validate").getByRole("heading", { level: 3 })).toBeInViewport();
  expect([...origins]).toEqual([new URL(baseURL ?? "").origin]);
});

test("sends a call from the page as a signed-in customer and shows the response", async ({ page }) => {
  await signInAsDemo(page, "ada");
  await page.getByRole("link", { name: "REST API" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "REST API" })).toBeVisible();
  const call = page.locator("#get-v1-subscriptions-subscription-status");
  await call.scrollIntoViewIfNeeded();
  await call.getByText("Try it").click();
  await expect(call.getByText("ada@demo.test")).toBeVisible();
  await call.getByRole("button", { name: "Send GET" }).click();
  await expect(call.getByRole("status")).toHaveText(/^200 in \d+ ms/);
  await expect(call.getByRole("group", { name: "Response", exact: true })).toContainText("products");
  // The accessibility of the whole page is tested together with all other pages (tests/site/public-site/every-page.browser.test.ts).
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include("#get-v1-subscriptions-subscription-status")
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual([]);
});

test("opens the index on a phone, jumps to a call and fits the screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(REFERENCE);
  await waitForScripts(page);
  await expectNoHorizontalScroll(page);
  const toggle = page.getByRole("button", { name: /^Contents/ });
  await toggle.click();
  const index = page.getByRole("navigation", { name: "Contents" });
  await index.locator("summary", { hasText: "Add-in" }).click();
  await index.getByRole("link", { name: /^Renew a seat/ }).click();
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(page.locator("#post-v1-licence-heartbeat").getByRole("heading", { level: 3 })).toBeInViewport();
  for (const details of await page.locator("#post-v1-licence-heartbeat details").all())
    await details.evaluate((one) => one.setAttribute("open", ""));
  await expectNoHorizontalScroll(page);
});

test("shows every language and a usable index without JavaScript", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await page.goto(REFERENCE);
  const call = page.locator("#post-v1-licence-activate");
  for (const words of [/^curl /, /await fetch\(/, /new HttpRequestMessage/])
    await expect(call.locator(".samples pre").filter({ hasText: words })).toBeVisible();
  await expect(call.getByText("Try it")).toBeHidden();
  const index = page.getByRole("navigation", { name: "Contents" });
  await index.locator("summary", { hasText: "Add-in" }).click();
  await expect(index.getByRole("link", { name: /^Renew a seat/ })).toBeVisible();
  await context.close();
});
