import serveStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Where the build puts the portal. */
const portalDir = resolve("dist/web");

/** Paths that belong to programs: an unknown one is a 404 there, not a page. */
const programPaths = /^\/(v1|graphql|dev|health|software|assets)(\/|$|\?)/;

/** Which addresses are HTML of their own, and which patterns the portal's page answers; written by the build. */
interface Pages {
  pages: Record<string, string>;
  patterns: string[];
}

/**
 * Serves the portal's files: a public page as it was built, the portal's own page for every other address it has, and
 * the page that says so, with 404, for those it has not.
 * @param publicUrl the site's own address, which canonical links and previews name
 * @param folder where the build is
 */
export async function servePortal(app: FastifyInstance, publicUrl: string, folder = portalDir): Promise<void> {
  if (!existsSync(join(folder, "pages.json"))) return;
  await app.register(serveStatic, {
    root: folder,
    prefix: "/",
    index: false,
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    globIgnore: ["**/*.html", "pages.json"],
    setHeaders: (reply, path) => {
      // Names of built files carry a hash of their content: what was fetched once never changes.
      const forEver = path.startsWith(join(folder, "assets"));
      reply.header("cache-control", forEver ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });

  const { pages, patterns } = JSON.parse(readFileSync(join(folder, "pages.json"), "utf8")) as Pages;
  const read = (file: string) => readPage(join(folder, file), publicUrl);
  const built = new Map(Object.entries(pages).map(([path, file]) => [path, read(file)]));
  const portal = read("index.html");
  const notFound = read("pages/404.html");
  const isPortal = patterns.map(toMatcher);

  app.get("/*", async (request, reply) => {
    if (programPaths.test(request.url)) return reply.callNotFound();
    const path = `${(request.url.split("?")[0] ?? "").replace(/\/+$/, "").toLowerCase()}/`;
    const page = built.get(path) ?? (isPortal.some((matches) => matches.test(path)) ? portal : null);
    if (!page) void reply.code(404);
    return sendPage(request, reply, page ?? notFound);
  });
}

interface Page {
  html: Buffer;
  etag: string;
  /** Made when first wanted. */
  zipped?: Promise<Buffer>;
}

function readPage(file: string, publicUrl: string): Page {
  const html = Buffer.from(readFileSync(file, "utf8").replaceAll("%PUBLIC_URL%", publicUrl));
  return { html, etag: `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"` };
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  void reply.headers({ "cache-control": "no-cache", etag: page.etag, vary: "accept-encoding" });
  if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
  void reply.type("text/html; charset=utf-8");
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return reply.send(page.html);
  page.zipped ??= promisify(gzip)(page.html, { level: 9 });
  return reply.header("content-encoding", "gzip").send(await page.zipped);
}

/** The router's pattern as it matches an address in lower case with its trailing slash. */
function toMatcher(pattern: string): RegExp {
  return new RegExp(`^${pattern.toLowerCase().replace(/\/+$/, "").replace(/:\w+/g, "[^/]+")}/$`);
}
