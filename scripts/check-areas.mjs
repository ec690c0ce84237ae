/**
 * Prints which areas each area imports. Fails on a file outside all areas, or an area that api/README.md leaves out.
 * The linter reports imports against the order that lint/areas.mjs declares.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseSync } from "oxc-parser";
import { listFiles } from "./changed-files.mjs";
import { areas, locate, testFolders } from "./lint/areas.mjs";
import { resolveImport } from "./lint/house-rules.mjs";
import { root } from "./runtime.mjs";

/** Returns the files that a file imports, including type imports, as paths from the root. */
function findImports(file, text) {
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^["'`]|["'`]$/g, ""),
    ),
  ];
  return specifiers.flatMap((specifier) => (specifier ? (resolveImport(specifier, file, root).file ?? []) : []));
}

/**
 * Counts the imports between areas. `read` returns the text of a file.
 * @returns the number of imports by part, importing area and imported area, and a sentence for each file outside them
 */
export function buildAreaGraph(files, read) {
  const counts = {};
  const faults = [];
  for (const file of files) {
    const [part, folder] = file.split("/");
    const from = locate(file);
    const isPlaced = from ? from.rank !== -1 : testFolders.includes(folder) || isArea(folder);
    if (!isPlaced) faults.push(`${file} is in no area: put it in ${part}/<area>/<noun>/ (scripts/lint/areas.mjs).`);
    if (!from || !isPlaced) continue;
    for (const imported of findImports(file, read(file))) {
      const to = locate(imported);
      if (!to || to.part !== part || to.name === from.name) continue;
      counts[part] ??= {};
      counts[part][from.name] ??= {};
      counts[part][from.name][to.name] = (counts[part][from.name][to.name] ?? 0) + 1;
    }
  }
  return { counts, faults };
}

const isArea = (name) => areas.some((area) => area.name === name);

function formatCounts(counts) {
  return Object.entries(counts).flatMap(([part, graph]) =>
    areas
      .map(({ name }) => name)
      .filter((name) => graph[name])
      .map((name) => {
        const to = areas
          .filter((area) => graph[name][area.name])
          .map((area) => `${area.name} ${graph[name][area.name]}`);
        return `${part}/${name} → ${to.join(", ") || "no other area"}`;
      }),
  );
}

if (import.meta.filename === process.argv[1]) {
  const files = listFiles().filter((file) => /^(api|web|tests)\/.*\.tsx?$/.test(file));
  const { counts, faults } = buildAreaGraph(files, (file) => readFileSync(join(root, file), "utf8"));
  const headings = readFileSync(join(root, "api/README.md"), "utf8").toLowerCase();
  for (const { name } of areas)
    if (!headings.includes(`\n## ${name}\n`))
      faults.push(`api/README.md has no ${name}: say in ten lines what the area is for, its nouns and what it offers.`);
  process.stdout.write(`${formatCounts(counts).join("\n")}\n`);
  if (faults.length > 0) process.stderr.write(`${faults.join("\n")}\n`);
  process.exit(faults.length > 0 ? 1 : 0);
}
