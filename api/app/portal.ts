import serveStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { trimEnd } from "#schema/clean-text.ts";
import { chooseEncoding, createCompressor, matchesEtag } from "#api/platform/http/cached-text.ts";
import type { Config } from "#api/platform/config.ts";
import { brandBuild, findAssets } from "./branded-pages.ts";

const NOT_FOUND = "/not-found/";

/** Cache-Control header for built files. Their names contain a hash of their content, so they never change. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * Headers that browsers apply to pages and workers only. On scripts, styles and fonts of the portal they would cost a
 * kilobyte for each file.
 */
const pagePolicies = ["content-security-policy", "permissions-policy"];

const portalDir = resolve("dist/web");

/** Folder of the built schema explorer, a separate page with its own build. */
const explorerDir = resolve("dist/playground");

// Paths of the explorer and of its files.
const EXPLORER = "/playground/";
const EXPLORER_FILES = "/playground/assets/";

/** Paths of APIs and files. An unknown path below them gets a plain 404 instead of the portal's page. */
const programPaths = /^\/(v1|graphql|dev|health|software|assets|media|playground\/assets)(\/|$|\?)/i;

/** The list of pages written by the build: prerendered pages by path, and route patterns served by the portal's page. */
interface Pages {
  pages: Record<string, string>;
  /** Pages for signed-in users by pattern: the frame of each, and the names of the files it loads. */
  portal?: Record<string, string>;
  /** Texts for programs, such as `/llms.txt`, by path. */
  texts?: Record<string, string>;
  /** Addresses that lead to another page, by path. */
  redirects?: Record<string, string>;
  patterns: string[];
  /** Paths listed in the sitemap, in order. */
  sitemap: string[];
  /** Hashes of the inline scripts, in the format of a content security policy. */
  scripts: string[];
}

interface Builds {
  /** Folder of the built portal. */
  readonly portal?: string;
  /** Folder of the built schema explorer. */
  readonly explorer?: string;
  /** Builds the explorer if its build is missing or outdated. Null if it was built with the portal. */
  readonly buildExplorer?: (() => Promise<void>) | null;
}

type SiteSettings = Pick<Config, "publicUrl" | "analyticsTagId" | "dataDir">;

/** Returns the list of pages that the build wrote; null if the portal hasn't been built. */
export function readBuiltPages(folder = portalDir): Pages | null {
  const file = join(folder, "pages.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Pages) : null;
}

/**
 * Serves the portal: prerendered public pages, the portal's page for every other known path, and the not-found page with
 * status 404 for the rest. Canonical links, previews and the sitemap use `publicUrl`. Pages receive the analytics tag.
 * @returns whether a path is a page
 */
export async function servePortal(
  app: FastifyInstance,
  config: SiteSettings,
  { portal = portalDir, explorer = explorerDir, buildExplorer = null }: Builds = {},
): Promise<(path: string) => boolean> {
  const folder = await brandBuild(portal, config.dataDir);
  const list = readBuiltPages(folder);
  if (!list) return () => false;
  // Files at the top level, except the pages and the build's list of pages.
  await serveFiles(app, folder, "/", { wildcard: false, globIgnore: ["*/**/*", "*.html", "pages.json"] });
  await serveFiles(app, join(folder, "media"), "/media/");
  const findFolder = (file: string) => findAssets(folder, config.dataDir, file);
  await serveFiles(app, findFolder, "/assets/", { cacheControl: FOREVER, omittedHeaders: pagePolicies });

  const read = (file: string) => readPage(join(folder, file), config);
  const pages = new Map(Object.entries(list.pages).map(([path, file]) => [path, read(file)]));
  const portalPage = read("index.html");
  const portalPages = Object.entries(list.portal ?? {}).map(
    ([pattern, file]) => [toMatcher(pattern), read(file)] as const,
  );
  const notFound = read("pages/404.html");
  const readExplorer = await serveExplorer(app, config, explorer, buildExplorer);
  const patterns = list.patterns.map(toMatcher);
  const findPage = (path: string) =>
    pages.get(path) ??
    portalPages.find(([matches]) => matches.test(path))?.[1] ??
    (patterns.some((matches) => matches.test(path)) ? portalPage : undefined);

  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(buildRobots(config)));
  app.get("/sitemap.xml", (_request, reply) =>
    reply.type("application/xml; charset=utf-8").send(buildSitemap(config, list.sitemap)),
  );
  for (const [path, file] of Object.entries(list.texts ?? {})) {
    const text = read(file);
    app.get(path, (request, reply) =>
      sendPage(request, reply, text, `text/${path.endsWith(".md") ? "markdown" : "plain"}`),
    );
  }
  app.get("/*", async (request, reply) => {
    const [address = ""] = request.url.split("?", 1);
    const normalized = normalizePath(address);
    const path = toPagePath(normalized);
    const target = list.redirects?.[path];
    const search = request.url.slice(address.length);
    if (target) return reply.redirect(target + search, 308);
    const page = path === EXPLORER ? await readExplorer() : findPage(path);
    // Some pages are below these paths, such as `/v1/docs`.
    if (!page && programPaths.test(normalized)) return reply.callNotFound();
    // The portal's router in the browser doesn't normalise paths.
    if (page && normalized !== address) return reply.redirect(normalized + search, 308);
    if (!page || path === NOT_FOUND) void reply.code(404);
    // Other pages belong to one user, and some have a token in their address. Prerendered pages say it in their head.
    else if (!pages.has(path)) void reply.header("x-robots-tag", "noindex");
    return sendPage(request, reply, page ?? notFound);
  });
  return (address) => {
    const path = toPagePath(address);
    return path === EXPLORER || path in (list.redirects ?? {}) || findPage(path) !== undefined;
  };
}

const toPagePath = (path: string) => `${trimEnd(path, "/").toLowerCase()}/`;

/** Serves the files of the explorer. The result returns its page, or undefined if the explorer hasn't been built. */
async function serveExplorer(
  app: FastifyInstance,
  config: SiteSettings,
  built: string,
  build: (() => Promise<void>) | null,
): Promise<() => Promise<Page | undefined>> {
  const open = async () => {
    await build?.();
    const folder = await brandBuild(built, config.dataDir);
    const file = join(folder, "playground.html");
    // No analytics on this page: it is a developer tool that runs with the user's own permissions.
    return { folder, page: existsSync(file) ? readPage(file, { ...config, analyticsTagId: null }) : undefined };
  };
  let opened: ReturnType<typeof open> | null = null;
  const openOnce = () => {
    opened ??= open().catch((error: unknown) => {
      // The next request tries again.
      opened = null;
      throw error;
    });
    return opened;
  };
  // In production, the first visitor doesn't wait, and a fault shows at start.
  if (!build) await openOnce();
  const findFolder = async () => join((await openOnce()).folder, EXPLORER_FILES);
  await serveFiles(app, findFolder, EXPLORER_FILES, { cacheControl: FOREVER });
  return async () => (await openOnce()).page;
}

interface FileOptions {
  cacheControl?: string;
  /** Security headers that responses with scripts, styles and fonts don't have. */
  omittedHeaders?: readonly string[];
  wildcard?: boolean;
  globIgnore?: string[];
}

/**
 * Serves the files of a folder, compressed if the browser supports it. With `wildcard: false` each file gets its own route,
 * which takes about 0.2 s at startup for 1,000 files. A function can find the folder of a file when it is requested.
 */
async function serveFiles(
  app: FastifyInstance,
  root: string | ((file: string) => string | Promise<string>),
  prefix: string,
  { cacheControl = "no-cache", omittedHeaders = [], ...options }: FileOptions = {},
): Promise<void> {
  await app.register(async (files) => {
    files.setErrorHandler<FastifyError & { headers?: Record<string, string> }>((error, _request, reply) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      // An invalid path can't belong to a file.
      if (error.statusCode !== 416) return reply.callNotFound();
      void reply.headers(error.headers ?? {});
      return reply.code(416).send();
    });
    files.addHook("onSend", async ({ url }, reply) => {
      if (reply.statusCode === 200 && /\.(?:js|css|woff2)$/.test(url))
        for (const name of omittedHeaders) reply.removeHeader(name);
    });
    const place = typeof root === "function" ? ({ serve: false } as const) : { root, prefix };
    await files.register(serveStatic, {
      ...place,
      index: false,
      dotfiles: "ignore",
      preCompressed: true,
      decorateReply: typeof root === "function",
      setHeaders: (reply) => void reply.header("cache-control", cacheControl),
      ...options,
    });
    if (typeof root !== "function") return;
    const findRoot = root;
    files.get<{ Params: { "*": string } }>(`${prefix}*`, async (request, reply) =>
      reply.sendFile(request.params["*"], await findRoot(request.params["*"])),
    );
  });
}

/**
 * Removes repeated slashes and unnecessary encoding from a path. Browsers would read a path that starts with two
 * slashes as a host name.
 */
function normalizePath(address: string): string {
  const single = address.replace(/\/{2,}/g, "/");
  try {
    return encodeURI(decodeURI(single));
  } catch {
    return single;
  }
}

/**
 * Builds `robots.txt`, which excludes account pages and APIs from search engines. Of the APIs, they may read what public pages
 * load, such as the prices in force.
 */
function buildRobots({ publicUrl }: SiteSettings): string {
  const closed = ["/admin/", "/graphql", "/v1/", "/dev/", "/health/", "/my-account/", "/manage-", "/confirm-email/"];
  const open = ["/v1/docs", "/v1/plans", "/v1/software/releases"];
  const lines = [...closed.map((path) => `Disallow: ${path}`), ...open.map((path) => `Allow: ${path}`)];
  return ["User-agent: *", ...lines, "", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join("\n");
}

/** Builds the sitemap (https://www.sitemaps.org/protocol.html). Content paths don't need XML escaping. */
function buildSitemap({ publicUrl }: SiteSettings, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

interface Page {
  html: Buffer;
  etag: string;
  compress: ReturnType<typeof createCompressor>;
}

function readPage(file: string, { publicUrl, analyticsTagId }: SiteSettings): Page {
  const tag = analyticsTagId ? `<meta name="analytics-tag" content="${analyticsTagId}" />` : "";
  const text = readFileSync(file, "utf8").replaceAll("%PUBLIC_URL%", publicUrl);
  const html = Buffer.from(text.replace("</head>", `${tag}</head>`));
  const etag = `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  return { html, compress: createCompressor(html), etag };
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  type = "text/html",
): Promise<FastifyReply> {
  void reply.headers({ "cache-control": "no-cache", etag: page.etag, vary: "accept-encoding" });
  if (reply.statusCode === 200 && matchesEtag(request, page.etag)) return reply.code(304).send();
  void reply.type(`${type}; charset=utf-8`);
  const encoding = chooseEncoding(request);
  if (!encoding) return reply.send(page.html);
  return reply.header("content-encoding", encoding).send(await page.compress(encoding));
}

/** Converts a route pattern to a regular expression for lower-case paths with a trailing slash. */
function toMatcher(pattern: string): RegExp {
  return new RegExp(`^${trimEnd(pattern.toLowerCase(), "/").replace(/:\w+/g, "[^/]+")}/$`);
}
