/**
 * Runs every check that needs no running product (`npm run check`). Prints one line per step with its duration, the
 * output of failed steps, and the graph of areas. `npm run check -- types areas` runs only those steps. `npm test`
 * reads the results from .cache/check.json.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { bin, endRuns, exitCode, root, run, onStopSignal, typescript } from "./runtime.mjs";

const typesFile = ".cache/types.tsbuildinfo";

/** The steps, longest first, so that both workers finish at about the same time. */
const steps = [
  { name: "generated files", args: ["scripts/check-generated.mjs"], fix: "npm run generate" },
  { name: "packages", args: ["scripts/check-packages.mjs"] },
  { name: "unused code", args: [bin("knip"), "--no-progress"] },
  { name: "lint and boundaries", args: [bin("oxlint"), "--type-aware", "--deny-warnings"] },
  {
    name: "types",
    // Checks only what changed since the last run. More checkers would derive the same types again.
    args: [bin("typescript", "tsc"), "--noEmit", "--checkers", "2", "--incremental", "--tsBuildInfoFile", typesFile],
  },
  { name: "weight of pages", args: ["scripts/check-weights.mjs"], isShown: true },
  { name: "areas", args: ["scripts/check-areas.mjs"], isShown: true },
  { name: "prose", args: ["scripts/check-prose.mjs"], isShown: true },
  {
    name: "migrations",
    args: [...typescript, "scripts/check-migrations.ts"],
    isShown: true,
  },
  { name: "containers", args: ["scripts/check-containers.mjs"] },
  { name: "format", args: [bin("@biomejs/biome"), "format", "--colors=off", "."], fix: "npm run format" },
];

onStopSignal((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

const started = performance.now();
const results = [];
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No step ${unknown.join(", ")}. Steps: ${steps.map(({ name }) => `"${name}"`).join(", ")}\n`);
  process.exit(2);
}
const waiting = steps.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));

const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });
writeFileSync(join(cache, "check.json"), JSON.stringify(results, null, 2));
const failed = results.filter((result) => !result.ok).length;
const seconds = ((performance.now() - started) / 1000).toFixed(1);
process.stdout.write(`${results.length - failed} of ${results.length} checks passed in ${seconds} s\n`);
process.exit(failed > 0 ? 1 : 0);

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { code, output, seconds } = await run(step.args, { env: { NO_COLOR: "1", FORCE_COLOR: undefined } });
    const ok = code === 0;
    results.push({ name: step.name, ok, seconds });
    process.stdout.write(`${ok ? "ok    " : "FAILED"} ${step.name.padEnd(22)} ${seconds.toFixed(1).padStart(5)} s\n`);
    if (ok && !step.isShown) continue;
    process.stdout.write(`${output.trimEnd().replace(/^/gm, "    ")}\n`);
    if (!ok && step.fix) process.stdout.write(`    Fix it with: ${step.fix}\n`);
  }
}
