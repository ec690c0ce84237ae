/**
 * Fails when a page's first visit loads more JavaScript than it may. Builds the portal in memory, so that it
 * tells of the code as it stands. Run by `npm run check`; `node scripts/check-weights.mjs --all` shows every page.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./runtime.mjs";

const PUBLIC_KB = 120;
const SIGN_IN_KB = 120;
const PORTAL_KB = 200;
const STYLES_KB = 20;
/** The schema explorer is a build of its own: the page, the editor and its three workers, which load at once. */
const EXPLORER_KB = 1_650;

/** Signed-out pages with a form: react-hook-form alone is 15 kB. */
const signedOutForms = {
  login: SIGN_IN_KB,
  "forgot-password": SIGN_IN_KB,
  "reset-password": SIGN_IN_KB,
  "contact-us": PUBLIC_KB,
  register: 125,
};

const page = (name) => `web/pages/${name}.tsx`;

/**
 * What a first visit shows besides the page's own file and what that imports: loaded on demand, yet at once.
 * Rules come with the first field that is used, dialogs with the button that opens them: neither counts.
 */
const shownAtOnce = {
  "admin/update-user": ["web/staff/users/user-details-tab.tsx"],
};
const adminSearch = "web/staff/search/header-search.tsx";
const dataLayer = "web/platform/data-layer.tsx";
const portalPages = "web/app/portal-pages.ts";
const sitePages = "web/pages/public/site-pages.ts";

/** The pages of routes.ts: their file, whether they load Apollo, and their bar. @throws Error for an entry that is written otherwise. */
export function pagesOf(routes) {
  return routes.split(/(?=path: )/).flatMap((entry) => {
    const portalName = /portalPage\("([\w/-]+)"\)/.exec(entry)?.[1];
    const siteName = /sitePage\("([\w/-]+)"\)/.exec(entry)?.[1];
    const name = siteName
      ? `public/${siteName}`
      : (portalName ?? /import\("#web\/pages\/([\w/-]+)\.tsx"\)/.exec(entry)?.[1]);
    // What stands before the first page, and the type of an entry.
    if (!name && !/^path: (?!\{)/.test(entry)) return [];
    if (!name) throw new Error(`No page is recognised in this entry of routes.ts, so it has no bar: ${entry.trim()}`);
    const hasData = /data: true/.test(entry);
    const isAdmins = name.startsWith("admin/") && hasData;
    const extras = [
      ...(portalName ? [portalPages] : []),
      ...(siteName ? [sitePages] : []),
      ...(hasData ? [dataLayer] : []),
      ...(isAdmins ? [adminSearch] : []),
      ...(shownAtOnce[name] ?? []),
    ];
    const bar = hasData ? PORTAL_KB : (signedOutForms[name.split("/")[1]] ?? PUBLIC_KB);
    return [{ name, bar, files: [page(name), ...extras] }];
  });
}

/** Sentences on what weighs too much. `chunks`: file name → its imports, its source files and its weight in kB. */
export function weigh(chunks, pages) {
  const entry = [...chunks].find(([, chunk]) => chunk.isEntry)?.[0];
  return pages.map(({ name, bar, files }) => {
    const wanted = [entry, ...files.map((file) => chunkOf(chunks, file))];
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

function chunkOf(chunks, source) {
  const found = [...chunks].find(([, { sources }]) => sources.some((file) => file.endsWith(`/${source}`)));
  if (!found) throw new Error(`${source} is in no file of the build; scripts/check-weights.mjs names it.`);
  return found[0];
}

/** What a first visit of the explorer loads: all but Prettier and its grammars, which its button fetches. */
function weighExplorer(output, kbOf) {
  const isOnDemand = ({ moduleIds = [] }) => moduleIds.length > 0 && moduleIds.every((id) => /\/prettier\//.test(id));
  const kb = output
    .filter((file) => file.fileName.endsWith(".js") && !isOnDemand(file))
    .reduce((sum, { code, source }) => sum + kbOf(code ?? source), 0);
  return { name: "schema explorer", kb, bar: EXPLORER_KB, isTooHeavy: kb > EXPLORER_KB };
}

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
  const kbOf = (text) => gzipSync(text, { level: 9 }).length / 1000;
  const chunks = new Map(
    output
      .filter(({ type }) => type === "chunk")
      .map(({ fileName, imports, modules, code, isEntry }) => [
        fileName,
        { imports, isEntry, sources: Object.keys(modules), kb: kbOf(code) },
      ]),
  );
  const weights = weigh(
    chunks,
    ["app/public-routes", "app/routes", "pages/public/named-pages"].flatMap((file) =>
      pagesOf(readFileSync(join(root, `web/${file}.ts`), "utf8")),
    ),
  );
  const styles = output.find(({ fileName }) => /^assets\/index-[\w-]+\.css$/.test(fileName));
  if (styles)
    weights.push({
      name: "styles of the shell",
      kb: kbOf(styles.source),
      bar: STYLES_KB,
      isTooHeavy: kbOf(styles.source) > STYLES_KB,
    });
  weights.push(weighExplorer((await inMemory("vite.playground.config.ts")).output, kbOf));
  const shown = process.argv.includes("--all") ? weights : weights.filter(({ isTooHeavy }) => isTooHeavy);
  for (const { name, kb, bar, isTooHeavy } of shown.toSorted((one, other) => other.kb - one.kb))
    process.stdout.write(`${isTooHeavy ? "too heavy " : ""}${name}: ${kb.toFixed(1)} kB of ${bar}\n`);
  if (weights.some(({ isTooHeavy }) => isTooHeavy)) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await main();
