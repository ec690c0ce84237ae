import { expect, expectNoHorizontalScroll, test, waitForScripts } from "#tests/support/browser.ts";

const REFERENCE = "/v1/docs";

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
