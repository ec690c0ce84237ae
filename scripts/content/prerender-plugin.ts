import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Manifest, type Plugin, type PluginOption } from "vite";
import type * as Prerendering from "#web/app/prerender.tsx";
import { compressFiles } from "./compress-files.ts";
import { headTags, type PageHead } from "./page-head.ts";

/** An address that no page has: what is found there is answered to every unknown address. */
const NOWHERE = "/no-page-has-this-address/";

/**
 * Writes every public page as HTML into the build, beside `index.html`, which stays the page of the portal; `pages.json`
 * tells the server which is which. All files are compressed once, so that the server never does it.
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
      plugins: [...plugins, namePages],
      publicDir: false,
      logLevel: "warn",
      build: { ssr: "web/app/prerender.tsx", outDir: folder, emptyOutDir: true, target: "es2023" },
    });
    const { heads, patterns, prerender, sourceOf } = (await import(
      pathToFileURL(join(folder, "prerender.js")).href
    )) as typeof Prerendering;

    const template = readFileSync(join(outDir, "index.html"), "utf8");
    const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
    const write = async (head: PageHead, file: string) => {
      const html = fill(template, head, await prerender(head.path), filesOf(manifest, sourceOf(head.path)));
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      writeFileSync(join(outDir, file), html);
    };
    const pages: Record<string, string> = {};
    for (const head of heads as readonly PageHead[]) {
      const file = `pages${head.path}index.html`;
      await write(head, file);
      pages[head.path] = file;
    }
    const notFound = { path: NOWHERE, title: "Page Not Found", description: "There is no page here.", noIndex: true };
    await write(notFound, "pages/404.html");
    writeFileSync(join(outDir, "pages.json"), JSON.stringify({ pages, patterns }));
    rmSync(join(outDir, ".vite"), { recursive: true });
    await compressFiles(join(outDir, "assets"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each lazy page is told which file it is, so that its HTML can name the styles and scripts it will need. */
const namePages: Plugin = {
  name: "name-pages",
  transform: {
    filter: { id: /web\/app\/(routes|named-pages)\.ts$/ },
    handler: (code) => code.replace(/\(\) => import\("#(web\/pages\/[\w/-]+\.tsx)"\)/g, '$&, "$1"'),
  },
};

/** Styles and scripts of a page besides those of the entry: `[styles, scripts]`. */
function filesOf(manifest: Manifest, source: string | undefined): [string[], string[]] {
  const entry = collect(
    manifest,
    Object.keys(manifest).find((key) => manifest[key]?.isEntry),
  );
  const page = collect(manifest, source);
  const beyond = (kind: "css" | "js") => [...page[kind]].filter((file) => !entry[kind].has(file));
  return [beyond("css"), beyond("js")];
}

function collect(
  manifest: Manifest,
  first: string | undefined,
  found = { css: new Set<string>(), js: new Set<string>() },
) {
  const chunk = first === undefined ? undefined : manifest[first];
  if (!chunk || found.js.has(chunk.file)) return found;
  found.js.add(chunk.file);
  for (const file of chunk.css ?? []) found.css.add(file);
  for (const next of chunk.imports ?? []) collect(manifest, next, found);
  return found;
}

function fill(template: string, head: PageHead, page: string, [styles, scripts]: [string[], string[]]): string {
  const links = [
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}" />`),
    ...scripts.map((file) => `<link rel="modulepreload" href="/${file}" />`),
  ];
  const parts: [RegExp, string][] = [
    [/<title>.*?<\/title>\s*<meta\s+name="description"[^>]*>/s, headTags(head)],
    [/<\/head>/, `  ${links.join("\n    ")}\n  </head>`],
    [/<div id="root"><\/div>\s*<noscript>.*?<\/noscript>/s, `<div id="root">${page}</div>`],
  ];
  return parts.reduce((html, [place, text]) => {
    if (!place.test(html)) throw new Error(`index.html has no place for what ${String(place)} looks for.`);
    return html.replace(place, () => text);
  }, template);
}
