/**
 * Fails if a regular expression in `api/` or `schema/` can take more than linear time for a hostile text. Patterns that are
 * built at run time from parts are checked by hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { checkSync } from "recheck";
import { listFiles } from "./changed-files.mjs";
import { root } from "./runtime.mjs";

/** Time to analyse a pattern. Without a fault, a pattern that takes longer counts as linear. */
const TIMEOUT_MS = 5_000;

/** Returns the regular expressions of a file with their line numbers. */
export function listPatterns(file, text) {
  const patterns = [];
  const add = (node, source, flags) =>
    patterns.push({ source, flags, place: `${file}:${text.slice(0, node.start).split("\n").length}` });
  new Visitor({
    Literal(node) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression(node) {
      const [source, flags] = node.arguments;
      if (node.callee.name === "RegExp" && typeof source?.value === "string")
        add(node, source.value, flags?.value ?? "");
    },
  }).visit(parseSync(file, text).program);
  return patterns;
}

/** Returns a sentence about a pattern that isn't linear, or null. */
export function findFault({ source, flags, place }) {
  const { status, complexity } = checkSync(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
  return status === "vulnerable" ? `${place}: /${source}/${flags} is ${complexity.summary}` : null;
}

if (process.argv[1] === import.meta.filename) {
  const files = listFiles().filter((file) => /^(api|schema)\/.*\.tsx?$/.test(file));
  const patterns = files.flatMap((file) => listPatterns(file, readFileSync(join(root, file), "utf8")));
  const faults = [...new Map(patterns.map((one) => [`${one.source}/${one.flags}`, one])).values()].flatMap(
    (one) => findFault(one) ?? [],
  );
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${patterns.length} patterns, ${faults.length} that aren't linear\n`);
  if (faults.length > 0) process.exit(1);
}
