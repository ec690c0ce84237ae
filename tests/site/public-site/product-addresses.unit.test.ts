import Fastify from "fastify";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { servePortal } from "#api/app/portal.ts";

const folder = mkdtempSync(join(tmpdir(), "built-portal-"));
const app = Fastify();

/** A build with one product, in the format of scripts/content/prerender-plugin.ts. */
const build: Record<string, string> = {
  "index.html": "the portal",
  "pages/404.html": "not found at %PUBLIC_URL%",
  "pages/product/index.html": "all products",
  "pages/product/xer-plus/index.html": '<link rel="canonical" href="%PUBLIC_URL%/product/xer-plus/" />',
  "pages.json": JSON.stringify({
    pages: {
      "/product/": "pages/product/index.html",
      "/product/xer-plus/": "pages/product/xer-plus/index.html",
      "/product/xer-plus-monthly/": "pages/product/xer-plus/index.html",
    },
    patterns: ["/my-account/", "/manage-subscription/:productId/", "/product/subscribe/:product/"],
    sitemap: ["/product/"],
    scripts: [],
  }),
};

beforeAll(async () => {
  for (const [file, text] of Object.entries(build)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  await servePortal(
    app,
    { publicUrl: "https://site.test", analyticsTagId: "", dataDir: folder },
    {
      portal: folder,
      explorer: join(folder, "explorer"),
    },
  );
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = async (url: string) => {
  const { statusCode, body } = await app.inject(url);
  return [statusCode, body];
};

test("returns the product page with its canonical URL, also for a price ID", async () => {
  const canonical = '<link rel="canonical" href="https://site.test/product/xer-plus/" />';
  for (const url of ["/product/xer-plus", "/Product/XER-Plus/?from=email", "/product/xer-plus-monthly"])
    expect(await get(url)).toEqual([200, canonical]);
});

test("returns the not-found page for other products, and the portal for old subscription links", async () => {
  for (const url of ["/product/nope/", "/product/xer-plus-weekly/", "/product/xer-plus/more/"])
    expect(await get(url)).toEqual([404, "not found at https://site.test"]);
  for (const url of ["/product/subscribe/xer-plus/", "/manage-subscription/xer-plus/"])
    expect(await get(url)).toEqual([200, "the portal"]);
});
