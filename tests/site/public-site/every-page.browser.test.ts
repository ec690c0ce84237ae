import type { APIRequestContext, Page } from "@playwright/test";
import { brand } from "#schema/brand.ts";
import { readContent } from "../../../scripts/content/read-content.ts";
import {
  drawAll,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  signInAsDemo,
  test,
  waitForScripts,
} from "#tests/support/browser.ts";

interface Head {
  path: string;
  title: string;
  description: string;
  noIndex: boolean;
}

const heads = readContent(".").get("heads") as unknown as readonly Head[];
const pages = heads.filter(({ noIndex }) => !noIndex);

/** Allowed external links. */
const allowedExternalLinks = [
  brand.networkUrl,
  brand.videoSiteUrl,
  // Links in the webhooks chapter of the REST reference.
  "https://www.standardwebhooks.com/",
  "https://www.npmjs.com/package/standardwebhooks",
  "https://pypi.org/project/standardwebhooks/",
  // A link in the developer guide.
  "https://github.com/jaydenseric/graphql-multipart-request-spec",
  ...Object.values(brand.mailboxes).map(({ email }) => `mailto:${email}`),
];

/** Elements of long pages whose colours other elements have too. The REST reference keeps the first call of each group. */
const sameColours: Record<string, string> = { "/v1/docs/": "section.call ~ section.call" };

/** Returns the `href` of every link on the current page. */
const getLinks = (page: Page) =>
  page.locator("a[href]").evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href") ?? ""))]);

// One page visits all addresses, so that the browser loads the shared scripts only once.
test("every page has metadata, fits, is accessible, links to real pages, and loads nothing from other origins", async ({
  page,
  baseURL,
}) => {
  const requested = new Set<string>();
  const stylesheets: string[] = [];
  page.on("request", (request) => {
    requested.add(new URL(request.url()).origin);
    if (request.resourceType() === "stylesheet") stylesheets.push(`${request.url()} for ${page.url()}`);
  });
  const links = new Map<string, string>();
  for (const { path, title, description } of pages) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    // Checks the page after hydration, not only the prerendered HTML.
    await waitForScripts(page);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await expect(page.locator("h1"), path).toHaveCount(1);
    await expect(page.locator("main"), path).toHaveCount(1);
    await expect(page, path).toHaveTitle(new RegExp(escape(title)));
    await expect(page.locator('meta[name="description"]'), path).toHaveAttribute("content", description);
    await expect(page.locator('link[rel="canonical"]'), path).toHaveAttribute("href", `${baseURL}${path}`);
    await expect(page.locator('script[type="application/ld+json"]'), path).toHaveCount(1);
    for (const link of await getLinks(page)) links.set(new URL(link, page.url()).href, `${link} on ${path}`);
    for (const width of [320, 720]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoHorizontalScroll(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectAccessible(page, path, sameColours[path]);
  }
  expect([...requested]).toEqual([new URL(baseURL ?? "").origin]);
  // Styles are inlined in the page.
  expect(stylesheets).toEqual([]);
  await expectRealLinks(page.request, links, new URL(baseURL ?? "").origin);
});

test("the charts of the sample conversion fit in their frames on phones", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/sample-conversion/");
  await page.addStyleTag({ content: drawAll });
  const excess = await page
    .locator("table[aria-label]")
    .evaluateAll((tables) => tables.map((table) => table.clientWidth - (table.parentElement?.clientWidth ?? 0)));
  expect(excess).toEqual([0, 0]);
});

test("every page works for signed-in users without console errors", async ({ page }) => {
  await signInAsDemo(page, "ada");
  for (const { path } of pages) {
    await page.goto(path);
    await waitForScripts(page);
    const account = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "My Account" });
    await expect(account, path).toBeVisible();
  }
});

test("links of emails about an account open for visitors", async ({ page }) => {
  for (const [path, button] of [
    ["/not-me/", "Secure my account"],
    ["/undo-email-change/", "Undo the change"],
  ] as const) {
    await page.goto(`${path}?t=A-token-1`);
    await waitForScripts(page);
    await expect(page.getByRole("button", { name: button })).toBeVisible();
    await expectAccessible(page, path);
  }
});

test("every page shows its content without JavaScript", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  for (const { path, title } of pages) {
    await page.goto(path);
    await expect(page, path).toHaveTitle(new RegExp(escape(title)));
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    const words = (await page.locator("main").innerText()).split(/\s+/).length;
    // Forms have few words.
    expect(words, path).toBeGreaterThan(["/login/", "/register/"].includes(path) ? 20 : 60);
  }
  await context.close();
});

test("returns 404 for unknown paths and lists known paths in the sitemap", async ({ request, baseURL }) => {
  for (const path of ["/no-such-page/", "/product/no-such-level/", "/resources-and-support/nothing", "/wp-login.php"]) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    expect(await response.text(), path).toContain("Page Not Found");
  }
  for (const path of ["/FAQS", "/faqs//", "/Legals/"]) expect((await request.get(path)).status(), path).toBe(200);
  const sitemap = await (await request.get("/sitemap.xml")).text();
  for (const { path, noIndex } of heads) expect(sitemap.includes(`<loc>${baseURL}${path}</loc>`), path).toBe(!noIndex);
  expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});

/** Asserts that no link is dead, and that external links are allowed. The values of `links` say where each one is. */
async function expectRealLinks(request: APIRequestContext, links: Map<string, string>, origin: string): Promise<void> {
  const inside = [...links].filter(([href]) => href.startsWith(origin));
  const external = [...links.keys()].filter((href) => !href.startsWith(origin));
  expect(external.filter((href) => !allowedExternalLinks.some((allowed) => href.startsWith(allowed)))).toEqual([]);

  const bodies = new Map<string, string>();
  for (const [href, where] of inside) {
    const { pathname, hash } = new URL(href);
    if (!bodies.has(pathname)) {
      const response = await request.get(pathname);
      expect(response.status(), where).toBe(200);
      bodies.set(pathname, response.headers()["content-type"]?.includes("html") ? await response.text() : "");
    }
    if (hash && hash !== "#main")
      expect(bodies.get(pathname), where).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
