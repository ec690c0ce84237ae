/**
 * Prints which areas each area imports. Fails on an upward import, a cycle between areas, a file outside all areas, or
 * an area that api/README.md leaves out. lint/areas.mjs declares the order of the areas; the linter reports the same
 * faults in the editor.
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
export function findImports(file, text, from = root) {
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^["'`]|["'`]$/g, ""),
    ),
  ];
  return specifiers.flatMap((specifier) => (specifier ? (resolveImport(specifier, file, from).file ?? []) : []));
}

/**
 * Counts the imports between areas. `read` returns the text of a file.
 * @returns the number of imports by part, importing area and imported area, and a sentence for each fault
 */
export function buildAreaGraph(files, read) {
  const counts = {};
  const faults = [];
  for (const file of files) {
    const from = locate(file);
    if (!from) {
      const folder = file.split("/")[1];
      const isKnown = testFolders.includes(folder) || areas.some(({ name }) => name === folder);
      if (file.startsWith("tests/") && !isKnown)
        faults.push(`${file} is in no area: put it in tests/<area>/<noun>/ (scripts/lint/areas.mjs).`);
      continue;
    }
    if (from.rank === -1) {
      faults.push(`${file} is in no area: put it in ${from.part}/<area>/<noun>/ (scripts/lint/areas.mjs).`);
      continue;
    }
    for (const imported of findImports(file, read(file))) {
      const to = locate(imported);
      if (!to || to.part !== from.part || to.name === from.name) continue;
      if (to.rank > from.rank) faults.push(`${file} imports ${imported}: ${from.name} is below ${to.name}.`);
      counts[from.part] ??= {};
      counts[from.part][from.name] ??= {};
      counts[from.part][from.name][to.name] = (counts[from.part][from.name][to.name] ?? 0) + 1;
    }
  }
  for (const [part, graph] of Object.entries(counts))
    for (const cycle of findCycles(graph)) faults.push(`${part}: ${cycle.join(" → ")} is a cycle.`);
  return { counts, faults };
}

/** Returns the cycles of areas that import each other, each cycle only once. */
function findCycles(graph) {
  const found = new Map();
  const walk = (name, path) => {
    const at = path.indexOf(name);
    if (at !== -1) {
      const ring = path.slice(at);
      const key = ring.toSorted().join();
      if (!found.has(key)) found.set(key, [...ring, name]);
      return;
    }
    for (const next of Object.keys(graph[name] ?? {})) if (isArea(name) && isArea(next)) walk(next, [...path, name]);
  };
  for (const name of Object.keys(graph)) walk(name, []);
  return [...found.values()];
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
