import serveStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Config } from "#api/platform/config.ts";

/** Address of the content's own not-found page. */
const NOT_FOUND = "/not-found/";

/** Names of built files carry a hash of their content: what was fetched once never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Where the build puts the portal. */
const portalDir = resolve("dist/web");

/** Where the build puts the schema explorer, which is a page and a build of its own (decision 0049). */
const explorerDir = resolve("dist/playground");

/** Where the explorer is, and its files. */
const EXPLORER = "/playground/";
const EXPLORER_FILES = "/playground/assets/";

/** Paths of programs and files: an unknown one is a 404 there, not a page. */
const programPaths = /^\/(v1|graphql|dev|health|software|assets|media|playground\/assets)(\/|$|\?)/;

/** Written by the build: which addresses are HTML of their own, and which patterns the portal's page answers. */
interface Pages {
  pages: Record<string, string>;
  patterns: string[];
  /** What search engines are told of, in the order of the sitemap. */
  sitemap: string[];
  /** Hashes of the scripts that stand in the pages, as a content security policy names them. */
  scripts: string[];
}

type SiteSettings = Pick<Config, "publicUrl" | "analyticsTagId">;

/** What the build says of its pages; nothing where the portal has not been built. */
export function builtPages(folder = portalDir): Pages | null {
  const file = join(folder, "pages.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Pages) : null;
}

/**
 * Serves the portal's files: a public page as it was built, the portal's own page for every other address it has, and
 * the page that says so, with 404, for those it has not.
 * `folder` is where the build is, `explorer` that of the schema explorer. Canonical links, previews and the sitemap name the site by `publicUrl`; the analytics tag is told to the pages.
 */
export async function servePortal(
  app: FastifyInstance,
  config: SiteSettings,
  folder = portalDir,
  explorer = explorerDir,
): Promise<void> {
  const built = builtPages(folder);
  if (!built) return;
  // What lies beside the folders; no pages, and not what the build says of them.
  await serveFiles(app, folder, "/", { wildcard: false, globIgnore: ["*/**/*", "*.html", "pages.json"] });
  await serveFiles(app, join(folder, "media"), "/media/");
  await serveFiles(app, join(folder, "assets"), "/assets/", { cacheControl: FOR_EVER });

  const read = (file: string) => readPage(join(folder, file), config);
  const pages = new Map(Object.entries(built.pages).map(([path, file]) => [path, read(file)]));
  const portal = read("index.html");
  const notFound = read("pages/404.html");
  const explorerPage = await serveExplorer(app, config, explorer);
  if (explorerPage) pages.set(EXPLORER, explorerPage);
  const isPortal = built.patterns.map(toMatcher);

  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(robots(config)));
  app.get("/sitemap.xml", (_request, reply) =>
    reply.type("application/xml; charset=utf-8").send(sitemap(config, built.sitemap)),
  );
  app.get("/*", async (request, reply) => {
    const [address = "", query] = request.url.split("?", 2);
    const tidied = tidy(address);
    const path = `${tidied.replace(/\/+$/, "").toLowerCase()}/`;
    const known = pages.get(path);
    // But for the page that describes them, which stands among them.
    if (!known && programPaths.test(request.url)) return reply.callNotFound();
    const page = known ?? (isPortal.some((matches) => matches.test(path)) ? portal : null);
    // The client takes addresses as they are written.
    if (page && tidied !== address) return reply.redirect(query === undefined ? tidied : `${tidied}?${query}`, 308);
    if (!page || path === NOT_FOUND) void reply.code(404);
    return sendPage(request, reply, page ?? notFound);
  });
}

/** The explorer's files, and its page; nothing where it has not been built. */
async function serveExplorer(app: FastifyInstance, config: SiteSettings, folder: string): Promise<Page | null> {
  const page = join(folder, "playground.html");
  if (!existsSync(page)) return null;
  await serveFiles(app, join(folder, EXPLORER_FILES), EXPLORER_FILES, { cacheControl: FOR_EVER });
  // Nobody is counted there: it is a tool, and asks with people's own rights.
  return readPage(page, { ...config, analyticsTagId: null });
}

/**
 * The files of a folder as they were built, small ones of them where the browser takes those. A route for each file, as
 * `wildcard: false` makes them, costs the start of a server a fifth of a second for a thousand files.
 */
async function serveFiles(
  app: FastifyInstance,
  root: string,
  prefix: string,
  { cacheControl = "no-cache", ...options }: { cacheControl?: string; wildcard?: boolean; globIgnore?: string[] } = {},
): Promise<void> {
  await app.register(async (files) => {
    files.setErrorHandler<FastifyError & { headers?: Record<string, string> }>((error, _request, reply) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      // What can't be an address of a file is that of none.
      if (error.statusCode !== 416) return reply.callNotFound();
      void reply.headers(error.headers ?? {});
      return reply.code(416).send();
    });
    await files.register(serveStatic, {
      root,
      prefix,
      index: false,
      dotfiles: "ignore",
      preCompressed: true,
      decorateReply: false,
      setHeaders: (reply) => void reply.header("cache-control", cacheControl),
      ...options,
    });
  });
}

/** An address without doubled slashes and needless encoding; it never begins with two slashes, which would be a host. */
function tidy(address: string): string {
  const single = address.replace(/\/{2,}/g, "/");
  try {
    return encodeURI(decodeURI(single));
  } catch {
    return single;
  }
}

/** What pages for search engines say of the site: it is theirs, but for what belongs to persons and programs. */
function robots({ publicUrl }: SiteSettings): string {
  const closed = ["/admin/", "/graphql", "/v1/", "/dev/", "/health/", "/my-account/", "/manage-", "/confirm-email/"];
  const lines = closed.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...lines, "Allow: /v1/docs", "", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join("\n");
}

/** https://www.sitemaps.org/protocol.html; addresses of the content hold nothing that XML would need escaped. */
function sitemap({ publicUrl }: SiteSettings, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

/** Each page is made small once; the highest levels would keep the first visitor waiting for a fifth of a second. */
const encoders = {
  br: (html: Buffer) =>
    promisify(brotliCompress)(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    }),
  gzip: (html: Buffer) => promisify(gzip)(html, { level: 9 }),
};

function smallest(page: Page, encoding: keyof typeof encoders): Promise<Buffer> {
  const made = (page.small[encoding] ??= encoders[encoding](page.html));
  made.catch(() => delete page.small[encoding]);
  return made;
}

interface Page {
  html: Buffer;
  etag: string;
  /** Made when first wanted, by encoding. */
  small: Partial<Record<keyof typeof encoders, Promise<Buffer>>>;
}

function readPage(file: string, { publicUrl, analyticsTagId }: SiteSettings): Page {
  const tag = analyticsTagId ? `<meta name="analytics-tag" content="${analyticsTagId}" />` : "";
  const text = readFileSync(file, "utf8").replaceAll("%PUBLIC_URL%", publicUrl);
  const html = Buffer.from(text.replace("</head>", `${tag}</head>`));
  return { html, small: {}, etag: `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"` };
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  void reply.headers({ "cache-control": "no-cache", etag: page.etag, vary: "accept-encoding" });
  if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
  void reply.type("text/html; charset=utf-8");
  const accepted = String(request.headers["accept-encoding"]).replace(/[\w*]+;\s*q=0(\.0*)?(?=,|\s|$)/g, "");
  const encoding = (["br", "gzip"] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted));
  if (!encoding) return reply.send(page.html);
  return reply.header("content-encoding", encoding).send(await smallest(page, encoding));
}

/** The router's pattern as it matches an address in lower case with its trailing slash. */
function toMatcher(pattern: string): RegExp {
  return new RegExp(`^${pattern.toLowerCase().replace(/\/+$/, "").replace(/:\w+/g, "[^/]+")}/$`);
}
