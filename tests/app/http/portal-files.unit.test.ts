import compress from "@fastify/compress";
import Fastify from "fastify";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { servePortal } from "#api/app/portal.ts";
import { sendError, toKnownError } from "#api/v1/send-error.ts";

const folder = mkdtempSync(join(tmpdir(), "portal-files-"));
const film = randomBytes(40_000);
const captions = `WEBVTT\n\n1\n00:00.000 --> 00:02.000\n${"A caption. ".repeat(200)}\n`;
mkdirSync(join(folder, "media"));
mkdirSync(join(folder, "assets"));
mkdirSync(join(folder, "pages"));
for (const [name, content] of [
  ["index.html", "<!doctype html><head></head><title>Portal</title>"],
  [join("pages", "faqs.html"), '<!doctype html><head><link href="%PUBLIC_URL%/faqs/"></head><title>FAQs</title>'],
  [join("pages", "404.html"), "<!doctype html><title>Page Not Found</title>"],
  [
    "pages.json",
    JSON.stringify({
      pages: { "/faqs/": "pages/faqs.html", "/v1/docs/": "pages/faqs.html" },
      patterns: ["/login/", "/licence-history/:licenceId/"],
      sitemap: ["/faqs/"],
      scripts: [],
    }),
  ],
  ["site.webmanifest", "{}"],
  [".stamp", "built"],
  [join("assets", ".stamp"), "built"],
  [join("media", "film.mp4"), film],
  [join("media", "film.vtt"), captions],
  [join("assets", "main-12345678.js"), "export {};"],
] as const)
  writeFileSync(join(folder, name), content);

const app = Fastify();
app.setErrorHandler((error, request, reply) => sendError(reply, toKnownError(error, request), request.id));
await app.register(compress, { threshold: 1_024, encodings: ["gzip"] });
const site = { publicUrl: "https://portal.test", analyticsTagId: "G-TEST12345" };
const explorer = join(folder, "explorer");
mkdirSync(join(explorer, "playground/assets"), { recursive: true });
writeFileSync(join(explorer, "playground.html"), "<!doctype html><head></head><title>Schema Explorer</title>");
writeFileSync(join(explorer, "playground/assets/editor-1234567.js"), "export {};");
await servePortal(app, site, folder, explorer);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a film can be asked for in parts, so that a player can jump", async () => {
  const part = await get("/media/film.mp4", { range: "bytes=1000-1999", "accept-encoding": "gzip" });
  expect(part.statusCode).toBe(206);
  expect(part.headers["content-range"]).toBe("bytes 1000-1999/40000");
  expect(part.headers["content-type"]).toBe("video/mp4");
  expect(part.rawPayload.equals(film.subarray(1_000, 2_000))).toBe(true);
});

test("a whole film says that it can be asked for in parts, and is not packed again", async () => {
  const whole = await get("/media/film.mp4", { "accept-encoding": "gzip" });
  expect(whole.statusCode).toBe(200);
  expect(whole.headers["accept-ranges"]).toBe("bytes");
  expect(whole.headers["content-encoding"]).toBeUndefined();
  expect(whole.rawPayload.equals(film)).toBe(true);
});

test("a part beyond a film's end is refused with its length", async () => {
  const beyond = await get("/media/film.mp4", { range: "bytes=50000-" });
  expect(beyond.statusCode).toBe(416);
  expect(beyond.headers["content-range"]).toBe("bytes */40000");
});

test("captions and the manifest carry the types that browsers ask for", async () => {
  expect((await get("/media/film.vtt")).headers["content-type"]).toMatch(/^text\/vtt/);
  expect((await get("/site.webmanifest")).headers["content-type"]).toMatch(/^application\/manifest\+json/);
});

test("a picture that is not there is a 404, and no page", async () => {
  expect((await get("/media/nothing.webp")).statusCode).toBe(404);
  expect((await get("/my-account/")).headers["content-type"]).toMatch(/^text\/html/);
});

test.each(["/assets", "/media", "/playground/assets"])("no other file is reached through %s", async (within) => {
  const ways = ["/", "/..", "/../pages.json", "/%2e%2e/pages.json", "/..%2fpages.json", "/..%5cpages.json", "/%00"];
  for (const way of [...ways, "/.stamp", "/%2estamp", "//etc/hostname", `/${"a".repeat(300)}.js`]) {
    const { statusCode, headers } = await get(within + way);
    // As a browser tidies it, the address may be a page.
    const isPage = statusCode === 200 && headers["content-type"] === "text/html; charset=utf-8";
    expect(isPage ? 404 : statusCode, way).toBe(404);
  }
});

test("what the build says of its pages and notes for itself is nobody's", async () => {
  for (const url of ["/pages.json", "/.stamp", "/assets/.stamp", "/assets/../pages.json"])
    expect((await get(url)).statusCode, url).toBe(404);
});

test("only files whose names carry a hash are kept for ever", async () => {
  expect((await get("/assets/main-12345678.js")).headers["cache-control"]).toContain("immutable");
  expect((await get("/media/film.mp4")).headers["cache-control"]).toBe("no-cache");
});

test("a page of the site is found in any case and with or without its slash, and names the site", async () => {
  for (const url of ["/faqs/", "/FAQs", "/faqs/?query=a", "/faqs"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]], url).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain('href="https://portal.test/faqs/"');
    expect(answer.body).toContain('<meta name="analytics-tag" content="G-TEST12345" /></head>');
  }
});

test("doubled slashes and needless encoding lead to the address without them, on this site", async () => {
  for (const [url, to] of [
    ["/faqs//", "/faqs/"],
    ["//faqs/?query=a", "/faqs/?query=a"],
    ["/%66aqs/", "/faqs/"],
    ["///login", "/login"],
  ] as const) {
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers.location], url).toEqual([308, to]);
  }
  expect((await get("//evil.example/")).statusCode).toBe(404);
});

test("addresses of the portal get its own page, all others 404", async () => {
  for (const url of ["/login", "/licence-history/0198c5a2/"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("<title>Portal")], url).toEqual([200, true]);
  }
  for (const url of ["/licence-history/", "/no-such-page/", "/login/more/", "/pages/faqs.html", "/index.html"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("<title>Page Not Found")], url).toEqual([404, true]);
  }
});

test("the schema explorer is found in any case and with or without its slash, with its files, and counts nobody", async () => {
  for (const url of ["/playground/", "/playground", "/Playground/", "/PLAYGROUND?a=b"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]], url).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("<title>Schema Explorer");
    expect(answer.body).not.toContain("analytics-tag");
  }
  const file = await get("/playground/assets/editor-1234567.js");
  expect(file.headers["content-type"]).toMatch(/javascript/);
  expect(file.headers["cache-control"]).toContain("immutable");
  for (const url of ["/playground/assets/gone.js", "/playground/more/", "/playground.html"])
    expect((await get(url)).statusCode, url).toBe(404);
  expect((await get("/sitemap.xml")).body).not.toContain("playground");
});

test("the page that describes /v1 stands among its calls, and search engines may read it alone", async () => {
  for (const url of ["/v1/docs", "/v1/docs/"]) expect((await get(url)).statusCode, url).toBe(200);
  expect((await get("/v1/docs")).body).toContain("<title>FAQs");
  const unknown = await get("/v1/no-such-call");
  expect([unknown.statusCode, unknown.body.includes("<title>")]).toEqual([404, false]);
  expect((await get("/robots.txt")).body).toMatch(/Disallow: \/v1\/\n[^]*Allow: \/v1\/docs\n/);
});

test("a page that a browser has is not sent again, and one that it has not is sent small", async () => {
  const { etag } = (await get("/faqs/")).headers;
  expect((await get("/faqs/", { "if-none-match": String(etag) })).statusCode).toBe(304);
  expect((await get("/faqs/", { "if-none-match": '"another"' })).statusCode).toBe(200);
  const small = await get("/faqs/", { "accept-encoding": "gzip" });
  expect(small.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(small.rawPayload).toString()).toContain("<title>FAQs");
});

test("search engines are told where the sitemap is, and it names the pages", async () => {
  expect((await get("/robots.txt")).body).toContain("Sitemap: https://portal.test/sitemap.xml");
  const sitemap = await get("/sitemap.xml");
  expect(sitemap.headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(sitemap.body).toContain("<loc>https://portal.test/faqs/</loc>");
});
