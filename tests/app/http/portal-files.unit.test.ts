import compress from "@fastify/compress";
import Fastify from "fastify";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { servePortal } from "#api/app/portal.ts";
import { sendError, toKnownError } from "#api/v1/serve-routes.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const folder = createTemporaryFolder("portal-files-");
const video = randomBytes(40_000);
const captions = `WEBVTT\n\n1\n00:00.000 --> 00:02.000\n${"A caption. ".repeat(200)}\n`;
mkdirSync(join(folder, "media"));
mkdirSync(join(folder, "assets"));
mkdirSync(join(folder, "pages"));
for (const [name, content] of [
  ["index.html", "<!doctype html><head></head><title>Portal</title>"],
  [join("pages", "faqs.html"), '<!doctype html><head><link href="%PUBLIC_URL%/faqs/"></head><title>FAQs</title>'],
  [join("pages", "licence-history.html"), "<!doctype html><head></head><title>Licence history</title>"],
  [join("pages", "404.html"), "<!doctype html><title>Page Not Found</title>"],
  [
    "pages.json",
    JSON.stringify({
      pages: { "/faqs/": "pages/faqs.html", "/v1/docs/": "pages/faqs.html" },
      portal: { "/licence-history/:licenceId/": "pages/licence-history.html" },
      patterns: ["/login/", "/quote/:quoteId/", "/licence-history/:licenceId/"],
      redirects: { "/docs/quickstart/": "/faqs/" },
      sitemap: ["/faqs/"],
      scripts: [],
    }),
  ],
  ["site.webmanifest", "{}"],
  [".stamp", "built"],
  [join("assets", ".stamp"), "built"],
  [join("media", "film.mp4"), video],
  [join("media", "film.vtt"), captions],
  [join("assets", "main-12345678.js"), "export {};"],
] as const)
  writeFileSync(join(folder, name), content);

const app = Fastify();
app.addHook("onRequest", async (_request, reply) => {
  reply.header("content-security-policy", "default-src 'self'").header("x-content-type-options", "nosniff");
});
app.setErrorHandler((error, request, reply) => sendError(reply, toKnownError(error, request), request.id));
await app.register(compress, { threshold: 1_024, encodings: ["gzip"] });
const site = { publicUrl: "https://portal.test", analyticsTagId: "G-TEST12345", dataDir: folder };
const explorer = join(folder, "explorer");
mkdirSync(join(explorer, "playground/assets"), { recursive: true });
writeFileSync(join(explorer, "playground.html"), "<!doctype html><head></head><title>Schema explorer</title>");
writeFileSync(join(explorer, "playground/assets/editor-1234567.js"), "export {};");
await servePortal(app, site, { portal: folder, explorer });
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("serves a video uncompressed, whole and in ranges, and rejects a range past its end with its length", async () => {
  const type = "video/mp4";
  const whole = await get("/media/film.mp4", { "accept-encoding": "gzip" });
  expect(whole).toMatchObject({ statusCode: 200, headers: { "accept-ranges": "bytes", "content-type": type } });
  expect([whole.headers["content-encoding"], whole.rawPayload.equals(video)]).toEqual([undefined, true]);
  const part = await get("/media/film.mp4", { range: "bytes=1000-1999", "accept-encoding": "gzip" });
  const headers = { "content-range": "bytes 1000-1999/40000", "content-type": type };
  expect(part).toMatchObject({ statusCode: 206, headers });
  expect(part.rawPayload.equals(video.subarray(1_000, 2_000))).toBe(true);
  const beyond = await get("/media/film.mp4", { range: "bytes=50000-" });
  expect(beyond).toMatchObject({ statusCode: 416, headers: { "content-range": "bytes */40000" } });
});

test("serves captions and the manifest with their content types", async () => {
  expect((await get("/media/film.vtt")).headers["content-type"]).toMatch(/^text\/vtt/);
  expect((await get("/site.webmanifest")).headers["content-type"]).toMatch(/^application\/manifest\+json/);
});

test("serves the frame of a page for signed-in users by its pattern", async () => {
  for (const url of ["/licence-history/4b1d/", "/Licence-History/4b1d?tab=1"])
    expect((await get(url)).body, url).toContain("<title>Licence history</title>");
  expect((await get("/login/")).body).toContain("<title>Portal</title>");
});

test("sends the content security policy with pages, and not with scripts", async () => {
  const script = await get("/assets/main-12345678.js");
  expect(script.headers).not.toHaveProperty("content-security-policy");
  expect(script.headers["x-content-type-options"]).toBe("nosniff");
  for (const url of ["/login/", "/faqs/", "/playground/assets/editor-1234567.js", "/assets/missing-1234567.js"])
    expect((await get(url)).headers, url).toHaveProperty("content-security-policy");
});

test("returns 404 instead of a page for a missing picture", async () => {
  expect((await get("/media/nothing.webp")).statusCode).toBe(404);
  expect((await get("/my-account/")).headers["content-type"]).toMatch(/^text\/html/);
});

test.each(["/assets", "/media", "/playground/assets"])("serves no other files through %s", async (within) => {
  const suffixes = ["/", "/..", "/../pages.json", "/%2e%2e/pages.json", "/..%2fpages.json", "/..%5cpages.json", "/%00"];
  for (const suffix of [...suffixes, "/.stamp", "/%2estamp", "//etc/hostname", `/${"a".repeat(300)}.js`]) {
    const { statusCode, headers } = await get(within + suffix);
    // A browser normalises this URL, so the result may be a page.
    const isPage = statusCode === 200 && headers["content-type"] === "text/html; charset=utf-8";
    expect(isPage ? 404 : statusCode, suffix).toBe(404);
  }
});

test("doesn't serve the build's own files, and caches only files with a hash in their name forever", async () => {
  for (const url of ["/pages.json", "/.stamp", "/assets/.stamp", "/assets/../pages.json"])
    expect((await get(url)).statusCode, url).toBe(404);
  expect((await get("/assets/main-12345678.js")).headers["cache-control"]).toContain("immutable");
  expect((await get("/media/film.mp4")).headers["cache-control"]).toBe("no-cache");
});

test("serves the assets of a newer build, whose pages another process already serves", async () => {
  const assets = join(folder, "pages/NewerBuild123456/assets/NewerBuild123456");
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(assets, "page-12345678.js"), "export {};");
  const answer = await get("/assets/NewerBuild123456/page-12345678.js");
  expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, expect.stringContaining("immutable")]);
  expect((await get("/assets/NewerBuild123456/gone-12345678.js")).statusCode).toBe(404);
});

test("serves a page for its path in any letter case, with or without a trailing slash, and fills in the site's URL", async () => {
  for (const url of ["/faqs/", "/FAQs", "/faqs/?query=a", "/faqs"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]], url).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain('href="https://portal.test/faqs/"');
    expect(answer.body).toContain('<meta name="analytics-tag" content="G-TEST12345" /></head>');
  }
});

test("redirects a path with double slashes or unnecessary encoding to the plain path on this site", async () => {
  for (const [url, to] of [
    ["/faqs//", "/faqs/"],
    ["//faqs/?query=a", "/faqs/?query=a"],
    ["//faqs/?query=why?&page=2", "/faqs/?query=why?&page=2"],
    ["/%66aqs/", "/faqs/"],
    ["///login", "/login"],
  ] as const) {
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers.location], url).toEqual([308, to]);
  }
  expect((await get("//evil.example/")).statusCode).toBe(404);
});

test("serves the portal for its routes and returns 404 for all other paths", async () => {
  for (const url of ["/login", "/quote/0198c5a2/"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("<title>Portal")], url).toEqual([200, true]);
  }
  for (const url of ["/licence-history/", "/no-such-page/", "/login/more/", "/pages/faqs.html", "/index.html"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("<title>Page Not Found")], url).toEqual([404, true]);
  }
});

test("serves the schema explorer and its files without analytics, in any letter case, with or without a trailing slash", async () => {
  for (const url of ["/playground/", "/playground", "/Playground/", "/PLAYGROUND?a=b"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]], url).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("<title>Schema explorer");
    expect(answer.body).not.toContain("analytics-tag");
  }
  const file = await get("/playground/assets/editor-1234567.js");
  expect(file.headers["content-type"]).toMatch(/javascript/);
  expect(file.headers["cache-control"]).toContain("immutable");
  for (const url of ["/playground/assets/gone.js", "/playground/more/", "/playground.html"])
    expect((await get(url)).statusCode, url).toBe(404);
  expect((await get("/sitemap.xml")).body).not.toContain("playground");
});

test("builds the schema explorer when it is first requested, once, and again after a failure", async () => {
  const later = Fastify();
  const built = join(folder, "later");
  let builds = 0;
  const buildExplorer = async () => {
    if (++builds === 1) throw new Error("no space");
    cpSync(explorer, built, { recursive: true });
  };
  await servePortal(later, site, { portal: folder, explorer: built, buildExplorer });
  const status = async (url: string) => (await later.inject({ url })).statusCode;
  expect(await status("/faqs/")).toBe(200);
  expect(builds).toBe(0);
  expect(await status("/playground/")).toBe(500);
  const urls = ["/playground/", "/playground/", "/playground/assets/editor-1234567.js"];
  expect(await Promise.all(urls.map(status))).toEqual([200, 200, 200]);
  expect(builds).toBe(2);
  await later.close();
});

test("keeps pages of one user out of search engines, and lets them read the reference and what public pages load", async () => {
  const tag = async (url: string) => (await get(url)).headers["x-robots-tag"];
  for (const url of ["/quote/0198c5a2/", "/licence-history/4b1d/"]) expect(await tag(url), url).toBe("noindex");
  for (const url of ["/faqs", "/v1/docs/", "/no-such-page/"]) expect(await tag(url), url).toBeUndefined();
  const robots = (await get("/robots.txt")).body;
  for (const path of ["/v1/plans", "/v1/software/releases"]) expect(robots).toContain(`\nAllow: ${path}\n`);
  for (const url of ["/v1/docs", "/v1/docs/"]) expect((await get(url)).statusCode, url).toBe(200);
  expect((await get("/v1/docs")).body).toContain("<title>FAQs");
  const unknown = await get("/v1/no-such-call");
  expect([unknown.statusCode, unknown.body.includes("<title>")]).toEqual([404, false]);
  expect((await get("/robots.txt")).body).toMatch(/Disallow: \/v1\/\n[^]*Allow: \/v1\/docs\n/);
});

test("answers 304 for a cached page and compresses others", async () => {
  const { etag } = (await get("/faqs/")).headers;
  const strong = String(etag).replace("W/", "");
  for (const known of [String(etag), `"other", ${strong}`, "*"])
    expect((await get("/faqs/", { "if-none-match": known })).statusCode, known).toBe(304);
  expect((await get("/faqs/", { "if-none-match": '"another"' })).statusCode).toBe(200);
  const small = await get("/faqs/", { "accept-encoding": "gzip" });
  expect(small.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(small.rawPayload).toString()).toContain("<title>FAQs");
});

test("lists the pages in the sitemap, and redirects guessed addresses, with or without a slash", async () => {
  expect((await get("/robots.txt")).body).toContain("Sitemap: https://portal.test/sitemap.xml");
  const sitemap = await get("/sitemap.xml");
  expect(sitemap.headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(sitemap.body).toContain("<loc>https://portal.test/faqs/</loc>");
  for (const path of ["/docs/quickstart/", "/docs/quickstart", "/Docs/Quickstart/"]) {
    const { statusCode, headers } = await get(path);
    expect([statusCode, headers.location]).toEqual([308, "/faqs/"]);
  }
  expect((await get("/Docs/quickstart?ref=mail&lang=c")).headers.location).toBe("/faqs/?ref=mail&lang=c");
});
