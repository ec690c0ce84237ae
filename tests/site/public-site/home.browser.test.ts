import { drawAll, expect, test } from "#tests/support/browser.ts";

test("shows one slide at a time and keeps the height of the carousel", async ({ page }) => {
  await page.goto("/");
  const carousel = page.getByRole("region", { name: "What Planvarro does" });
  const heights = new Set<number | undefined>();
  for (const number of [1, 2, 3, 4]) {
    await carousel.getByRole("button", { name: `Slide ${number}:` }).click();
    await expect(carousel.getByRole("group", { name: `${number} of 4` })).toBeVisible();
    await expect(carousel.getByRole("group", { name: / of 4$/ })).toHaveCount(1);
    heights.add((await carousel.boundingBox())?.height);
  }
  expect(heights.size).toBe(1);
});

test("loads the font asynchronously on the first visit and from the cache on later pages", async ({ page }) => {
  const fontRequests: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fontRequests.push(request.url());
  });
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ status, weight }) => status === "loaded" && weight === "100 900"),
    );
  await page.goto("/");
  await expect.poll(async () => (await loaded()).length).toBe(1);
  await expect(page.locator("#fonts")).toHaveAttribute("media", "not all");
  await page.goto("/faqs/");
  await expect(page.locator("#fonts")).toHaveAttribute("media", "all");
  await expect.poll(async () => (await loaded()).length).toBe(1);
  expect(new Set(fontRequests).size).toBe(1);
});

test("is at most 4,000 px high, its footer 400 px, and only one thing moves wherever you are", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await expect(page.locator("[data-moving]")).toHaveCount(1);
  const footer = await page.getByRole("contentinfo").boundingBox();
  expect(footer?.height).toBeLessThanOrEqual(400);
  await page.addStyleTag({ content: drawAll });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(4000);
  for (let top = 0; top < height; top += 450) {
    await page.evaluate(async (y) => {
      window.scrollTo(0, y);
      // The observers report after the next two frames.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, top);
    expect(await page.locator("[data-moving]").count(), `at ${top} px`).toBeLessThanOrEqual(1);
  }
});

test("folds the lists of the footer on phones and opens them without scripts", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/faqs/");
  const footer = page.getByRole("contentinfo");
  expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(640);
  const link = footer.getByRole("link", { name: "User Guide" });
  await expect(link).toBeHidden();
  await footer.locator("summary", { hasText: "Support" }).click();
  await expect(link).toBeVisible();
  await context.close();
});

test("shows the flagship first on phones", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const levels = page.getByRole("region", { name: "Three levels, one schedule" }).getByRole("article");
  const tops = await levels.evaluateAll((cards) =>
    cards.map((card) => [card.querySelector("h3")?.textContent, card.getBoundingClientRect().top] as const),
  );
  const names = tops.toSorted(([, one], [, other]) => one - other).map(([name]) => name);
  expect(names).toEqual(["Professional", "Plus+", "Standard"]);
});
