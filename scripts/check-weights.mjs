/**
 * Fails if the first visit to a page loads more JavaScript than its limit. Builds the portal in memory, so the result
 * describes the working tree. Prints the heaviest page of each limit, or every page with `--all`.
 */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./runtime.mjs";
import "./typescript.mjs";

// A few kilobytes above the heaviest page of each kind. What people wait for is measured on its own (docs/performance.md): few
// large files arrive sooner than many small ones (decision 0257).
const PUBLIC_KB = 140;
const FORM_KB = 155;
const PORTAL_KB = 380;
const STYLES_KB = 20;
/**
 * Limit in kilobytes for the schema explorer, a separate build with a page, an editor and three workers that load
 * together.
 */
const EXPLORER_KB = 1_650;

/** Signed-out pages with a form, which have a higher limit because react-hook-form alone is 15 kB. */
const signedOutForms = ["login", "forgotPassword", "resetPassword", "contactUs", "register", "quote"];

/**
 * Files that a page doesn't import but always loads on the first visit. Rules load when a field is first used, and
 * dialogs when their button is clicked, so they don't count.
 */
const neededImmediately = {
  updateUser: ["web/staff/users/overview/overview-tab.tsx"],
};
const adminSearch = "web/staff/search/header-search.tsx";
const dataLayer = ["web/app/portal-pages.ts", "web/platform/data-layer.tsx"];

/** Returns the pages of the table (`web/app/pages.tsx`) with their source files and limits in kilobytes. */
export function findPages(pages) {
  return Object.entries(pages).flatMap(([name, { path, access, load }]) => {
    const file = load && /\(["'`][#/](web.+?)["'`]/.exec(String(load))?.[1];
    if (!file) return [];
    const hasData = !["everyone", "visitors", "resetters"].includes(access);
    const isAdminPage = path.startsWith("/admin/");
    const extras = [
      ...(hasData ? dataLayer : []),
      ...(isAdminPage ? [adminSearch] : []),
      ...(neededImmediately[name] ?? []),
    ];
    const bar = hasData ? PORTAL_KB : signedOutForms.includes(name) ? FORM_KB : PUBLIC_KB;
    return [{ name, bar, files: [file, ...extras] }];
  });
}

/**
 * Returns the weight of each page in kilobytes. `chunks` maps a file name to its imports, source files and weight in
 * kilobytes.
 */
export function weighPages(chunks, pages) {
  const entry = [...chunks].find(([, chunk]) => chunk.isEntry)?.[0];
  return pages.map(({ name, bar, files }) => {
    const wanted = [entry, ...files.map((file) => findChunk(chunks, file))];
    const loaded = new Set();
    const load = (file) => {
      if (loaded.has(file)) return;
      loaded.add(file);
      chunks.get(file)?.imports.forEach(load);
    };
    wanted.forEach(load);
    const kb = [...loaded].reduce((sum, file) => sum + (chunks.get(file)?.kb ?? 0), 0);
    return { name, kb, bar, isTooHeavy: kb > bar };
  });
}

function findChunk(chunks, source) {
  const found = [...chunks].find(([, { sources }]) => sources.some((file) => file.endsWith(`/${source}`)));
  if (!found) throw new Error(`${source} is in no file of the build; scripts/check-weights.mjs names it.`);
  return found[0];
}

/**
 * Returns the weight of a first visit to the explorer: everything except Prettier, which loads when its button is
 * clicked.
 */
function weighExplorer(output, gzipKb) {
  const isOnDemand = ({ moduleIds = [] }) => moduleIds.length > 0 && moduleIds.every((id) => /\/prettier\//.test(id));
  const kb = output
    .filter((file) => file.fileName.endsWith(".js") && !isOnDemand(file))
    .reduce((sum, { code, source }) => sum + gzipKb(code ?? source), 0);
  return { name: "schema explorer", kb, bar: EXPLORER_KB, isTooHeavy: kb > EXPLORER_KB };
}

/** Selects the pages above their limit and the heaviest page of each limit. `sorted` starts with the heaviest. */
const isHeaviestOrTooHeavy = ({ isTooHeavy, bar }, index, sorted) =>
  isTooHeavy || sorted.findIndex((other) => other.bar === bar) === index;

async function main() {
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  const inMemory = (config) =>
    build({
      configFile: join(root, config),
      root,
      logLevel: "error",
      build: { write: false, reportCompressedSize: false },
    });
  const { output } = await inMemory("vite.config.ts");
  const gzipKb = (text) => gzipSync(text, { level: 9 }).length / 1000;
  const chunks = new Map(
    output
      .filter(({ type }) => type === "chunk")
      .map(({ fileName, imports, modules, code, isEntry }) => [
        fileName,
        { imports, isEntry, sources: Object.keys(modules), kb: gzipKb(code) },
      ]),
  );
  const weights = weighPages(chunks, findPages((await import("#web/app/pages.tsx")).pages));
  const styles = output.find(({ fileName }) => /^assets\/index-[\w-]+\.css$/.test(fileName));
  if (styles)
    weights.push({
      name: "styles of the shell",
      kb: gzipKb(styles.source),
      bar: STYLES_KB,
      isTooHeavy: gzipKb(styles.source) > STYLES_KB,
    });
  weights.push(weighExplorer((await inMemory("vite.playground.config.ts")).output, gzipKb));
  const sorted = weights.toSorted((one, other) => other.kb - one.kb);
  const shown = process.argv.includes("--all") ? sorted : sorted.filter(isHeaviestOrTooHeavy);
  for (const { name, kb, bar, isTooHeavy } of shown)
    process.stdout.write(`${isTooHeavy ? "too heavy " : ""}${name}: ${kb.toFixed(1)} kB of ${bar}\n`);
  if (weights.some(({ isTooHeavy }) => isTooHeavy)) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await main();
