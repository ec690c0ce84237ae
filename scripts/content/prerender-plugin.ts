import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Manifest, type Plugin, type PluginOption } from "vite";
import { brand } from "#schema/brand.ts";
import type * as Prerendering from "#web/app/prerender.tsx";
import { brandTokensPlugin, fillBuiltInBrand, removeComments } from "./brand-tokens.ts";
import { compressFiles } from "./compress-files.ts";
import { namePages } from "./page-files-plugin.ts";
import { renderDeveloperGuide, renderGuideTexts } from "./developer-guide.ts";
import { guideRedirects } from "./guide-topics.ts";
import { readContent } from "./read-content.ts";
import { buildStructuredData, buildHeadTags, type PageHead } from "./structured-data.ts";
import { formatDocumentTitle } from "#web/platform/document-title.ts";

/** Script that loads a page's scripts after the first paint. */
const afterPaint = removeComments(readFileSync(join(import.meta.dirname, "../../web/app/after-paint.js"), "utf8"));

/** Script that shows the frame of a page for signed-in users. */
const showFrame = removeComments(readFileSync(join(import.meta.dirname, "../../web/app/show-frame.js"), "utf8"));

/** A path that doesn't exist. The page rendered for it becomes the 404 page. */
const NOWHERE = "/no-page-has-this-address/";

/**
 * Creates a Vite plugin that prerenders every public page. `index.html` remains the portal's page, `pages.json` lists
 * the pages for the server, and all files are compressed at build time.
 */
export function prerenderPlugin(plugins: () => PluginOption[]): Plugin {
  let root = "";
  let outDir = "";
  let isWanted = false;
  return {
    name: "prerender",
    apply: "build",
    configResolved(config) {
      root = config.root;
      outDir = join(root, config.build.outDir).replace(join(root, root), root);
      isWanted = config.build.write !== false && !config.build.ssr;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        if (isWanted) await writePages(root, outDir, plugins());
      },
    },
  };
}

async function writePages(root: string, outDir: string, plugins: PluginOption[]): Promise<void> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/prerender-"));
  try {
    await build({
      configFile: false,
      root,
      plugins: [...plugins, brandTokensPlugin("prerender"), namePages],
      publicDir: false,
      logLevel: "warn",
      build: { ssr: "web/app/prerender.tsx", outDir: folder, emptyOutDir: true, target: "es2023" },
    });
    const { aliases, heads, patterns, portalPages, prerender, prerenderFrame, findSources } = (await import(
      pathToFileURL(join(folder, "prerender.js")).href
    )) as typeof Prerendering;

    const template = readFileSync(join(outDir, "index.html"), "utf8");
    const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
    const content = readContent(root);
    const readStyles = (file: string) => ({ file, text: readFileSync(join(outDir, file), "utf8").trim() });
    const write = async (head: PageHead, file: string) => {
      const [styles, scripts] = findFiles(manifest, findSources(head.path));
      const data = head.noIndex ? null : buildStructuredData(head, content);
      const html = fillTemplate(template, {
        head: buildHeadTags(head),
        body: [`<div id="root">${await prerender(head.path)}</div>`],
        styles: styles.map(readStyles),
        scripts,
        data,
      });
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      writeFileSync(join(outDir, file), html);
    };
    // Pages for signed-in users have the frame of each role that may open them, of which show-frame.js shows one.
    const portal: Record<string, string> = {};
    for (const page of portalPages) {
      const isAdminPage = page.pattern.startsWith("/admin/");
      const sources = [...portalSources, ...(isAdminPage ? ["web/staff/search/header-search.tsx"] : [])];
      const [styles, scripts] = findFiles(manifest, [...sources, ...findSources(page.pattern)]);
      const frames = await Promise.all(
        page.roles.map(async (role) => `<template id="frame-${role}">${await prerenderFrame(page, role)}</template>`),
      );
      const file = `pages/portal/${page.name}.html`;
      mkdirSync(join(outDir, "pages/portal"), { recursive: true });
      const [noScript = ""] = /<noscript>.*?<\/noscript>/s.exec(template) ?? [];
      writeFileSync(
        join(outDir, file),
        fillTemplate(template, {
          head: `<title>${formatDocumentTitle(page.title)}</title>`,
          body: [`<div id="root"></div>`, noScript, ...frames, `<script>${showFrame}</script>`],
          styles: styles.map(readStyles),
          scripts,
          data: null,
          isPortal: true,
        }),
      );
      portal[page.pattern] = file;
    }
    const pages: Record<string, string> = {};
    for (const head of heads as readonly PageHead[]) {
      const file = `pages${head.path}index.html`;
      await write(head, file);
      pages[head.path] = file;
    }
    for (const [alias, path] of aliases) {
      const file = pages[path];
      if (!file) throw new Error(`${alias} shows the page at ${path}, which has no content file.`);
      pages[alias] = file;
    }
    const notFound = { path: NOWHERE, title: "Page Not Found", description: "There is no page here.", noIndex: true };
    await write(notFound, "pages/404.html");
    const sitemap = (heads as readonly PageHead[]).filter(({ noIndex }) => !noIndex).map(({ path }) => path);
    const texts: Record<string, string> = {};
    for (const [path, text] of Object.entries(renderGuideTexts(renderDeveloperGuide(root), brand.name))) {
      texts[path] = `pages${path}`;
      writeFileSync(join(outDir, `pages${path}`), text);
    }
    const index = {
      pages,
      portal,
      texts,
      redirects: guideRedirects,
      patterns,
      sitemap,
      scripts: hashScripts(`${template}<script>${showFrame}</script><script>${afterPaint}</script>`),
    };
    writeFileSync(join(outDir, "pages.json"), JSON.stringify(index));
    rmSync(join(outDir, ".vite"), { recursive: true });
    fillBuiltInBrand(outDir);
    await compressFiles(join(outDir, "assets"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns `[styles, scripts]` for a page. The styles include the entry's, the scripts don't. */
function findFiles(manifest: Manifest, sources: readonly string[]): [string[], string[]] {
  const entry = collect(
    manifest,
    Object.keys(manifest).find((key) => manifest[key]?.isEntry),
  );
  const page = { css: new Set<string>(), js: new Set<string>() };
  for (const source of sources) collect(manifest, source, page);
  return [[...new Set([...entry.css, ...page.css])], [...page.js].filter((file) => !entry.js.has(file))];
}

/** Adds a file and what it imports. `first` is a source file, or a chunk that several sources share. */
function collect(
  manifest: Manifest,
  first: string | undefined,
  found = { css: new Set<string>(), js: new Set<string>() },
) {
  const chunk = first === undefined ? undefined : manifest[first];
  if (!chunk || found.js.has(chunk.file)) return found;
  found.js.add(chunk.file);
  // The styles of the entry come first: they declare the order of the layers. Others follow those of what they import, as
  // Vite's loader applies them, because Mantine's components override each other by order within their layer.
  if (chunk.isEntry) for (const file of chunk.css ?? []) found.css.add(file);
  for (const next of chunk.imports ?? []) collect(manifest, next, found);
  for (const file of chunk.css ?? []) found.css.add(file);
  return found;
}

/** Returns the hashes of inline scripts for the content security policy. */
function hashScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`,
  );
}

/** Sources of what every page for signed-in users needs. */
const portalSources = ["web/app/portal-pages.ts", "web/app/portal/portal-shell.tsx", "web/platform/data-layer.tsx"];

interface BuiltPage {
  /** Tags with the page's title and description. */
  head: string;
  body: string[];
  styles: { file: string; text: string }[];
  scripts: string[];
  /** JSON-LD. */
  data: string | null;
  /** Whether the page is for signed-in users. `before-paint.js` requests their scripts while the HTML arrives. */
  isPortal?: boolean;
}

/**
 * Fills the template of a page. Styles are inline to save a round trip before the first paint. Disabled links tell
 * Vite's loader that the styles are already loaded; `media="not all"` stops browsers from preloading them anyway.
 * `after-paint.js` loads the listed scripts.
 */
function fillTemplate(template: string, page: BuiltPage): string {
  const { head, body: content, styles, scripts, data, isPortal = false } = page;
  const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(template) ?? [];
  const shared = [...template.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(([, file]) => file);
  const files = [...shared, ...scripts.map((file) => `/${file}`)];
  const text = styles.map((one) => one.text).join("\n");
  const webFont = /@font-face\{[^}]*\.woff2[^}]*\}/g;
  const fonts = (text.match(webFont) ?? []).join("");
  const links = [
    `<style>${text.replace(webFont, "")}</style>`,
    ...styles.map(({ file }) => `<link rel="stylesheet" href="/${file}" media="not all" disabled />`),
    ...(data ? [`<script type="application/ld+json">${data}</script>`] : []),
  ];
  const list = JSON.stringify({ entry, files, isPortal });
  const body = [...content, `<script>${afterPaint}</script>`];
  const parts: [RegExp, string][] = [
    // On a first visit the fonts load after the first paint. On later pages before-paint.js enables them before it.
    [
      /<script>/,
      `<style id="fonts" media="not all">${fonts}</style><noscript><style>${fonts}</style></noscript>
    <script type="application/json" id="page-scripts">${list}</script>\n    <script>`,
    ],
    [/<title>.*?<\/title>\s*<meta\s+name="description"[^>]*>/s, head],
    [/\s*<\/head>/, `\n    ${links.join("\n    ")}\n  </head>`],
    [/<div id="root"><\/div>\s*<noscript>.*?<\/noscript>/s, body.join("\n    ")],
  ];
  const bare = template.replace(
    /\s*<(link rel="(stylesheet|modulepreload)"|script type="module")[^>]*>(<\/script>)?/g,
    "",
  );
  return parts.reduce((html, [place, text]) => {
    if (!place.test(html)) throw new Error(`index.html has no match for ${String(place)}.`);
    return html.replace(place, () => text);
  }, bare);
}
