/**
 * Runs every check that needs no running product (`npm run check`). Prints one line per step with its duration, the
 * output of failed steps, and the graph of areas. A step that passed before is not repeated until one of its files
 * changes. `npm run check -- types areas` runs only those steps. With `--changed`, lint and format read only the files
 * that differ from main. `npm test` reads the results from .cache/check.json.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listChangedFiles, listFiles } from "./changed-files.mjs";
import { bin, endRuns, exitCode, root, run, onStopSignal, typescript } from "./runtime.mjs";

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: "boolean", default: false } },
});

const cache = join(root, ".cache");
const typesFile = ".cache/types.tsbuildinfo";
const code = /\.(ts|tsx|mjs|cjs|js|json)$/;
const formatted = /\.(ts|tsx|mjs|cjs|js|json|css|graphql|html)$/;
/** Every step depends on these, too: its own program, and the versions of the packages. */
const everywhere = /^scripts\/|(^|\/)package(-lock)?\.json$/;

/**
 * For programs in Go that check types. Their threads derive the same types again, and collecting garbage less often takes as
 * much memory as two threads.
 */
const oneThread = { GOMAXPROCS: "1", GOGC: "400" };

/**
 * The steps, longest first, so that both workers finish at about the same time. `files` matches the files that a step
 * depends on. A step with `onlyChanged` accepts file names.
 */
const steps = [
  {
    name: "lint and boundaries",
    args: [bin("oxlint"), "--type-aware", "--deny-warnings"],
    env: oneThread,
    files: code,
    onlyChanged: /\.(ts|tsx|mjs|cjs|js)$/,
  },
  {
    name: "types",
    // Checks only what changed since the last run.
    args: [bin("typescript", "tsc"), "--noEmit", "--checkers", "1", "--incremental", "--tsBuildInfoFile", typesFile],
    env: oneThread,
    files: code,
  },
  { name: "unused code", args: [bin("knip"), "--no-progress"], files: code },
  {
    name: "generated files",
    args: ["scripts/check-generated.mjs"],
    fix: "npm run generate",
    files: /^(api|schema|docs)\/|\.graphql$|^web\/(app|generated|site\/content)\/|^codegen\.yml$|^\.env\.example$/,
  },
  {
    name: "documents",
    args: [bin("textlint"), "--rulesdir", "scripts/lint/textlint", "--format", "unix"],
    files: /./,
    onlyChanged: /\.md$/,
    all: ["**/*.md"],
  },
  { name: "areas", args: ["scripts/check-areas.mjs"], isShown: true, files: /^(api|web|tests)\// },
  {
    name: "migrations",
    args: [...typescript, "scripts/check-migrations.ts"],
    isShown: true,
    files: /^api\/.*(migration|\.sql)/,
  },
  {
    name: "containers",
    args: ["scripts/check-containers.mjs"],
    files: /^(docker-compose\.yml|deploy\/|\.github\/)/,
  },
  {
    name: "format",
    args: [bin("@biomejs/biome"), "format", "--colors=off", "--no-errors-on-unmatched"],
    files: formatted,
    onlyChanged: formatted,
    all: ["."],
    fix: "npm run format",
  },
  { name: "patterns", args: ["scripts/check-patterns.mjs"], isShown: true, files: /^(api|schema)\/.*\.tsx?$/ },
  {
    name: "contract",
    args: [...typescript, "scripts/contract/measure-contract.ts"],
    isShown: true,
    files: /^schema\/schema\.graphql$/,
  },
  {
    name: "pictures",
    args: ["tools/pictures/picture-words.mjs"],
    fix: "npm run pictures -- docs site",
    files: /^(web|schema|docs\/screenshots)\/|^tools\//,
  },
  { name: "packages", args: ["scripts/check-packages.mjs"], files: /^$/ },
];

onStopSignal((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

const started = performance.now();
const results = [];
const unknown = chosen.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No step ${unknown.join(", ")}. Steps: ${steps.map(({ name }) => `"${name}"`).join(", ")}\n`);
  process.exit(2);
}
mkdirSync(cache, { recursive: true });
const passedFile = join(cache, "passed-checks.json");
const passed = existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, "utf8")) : {};
const hashes = listFiles().map((file) => [file, hashFile(file)]);
const changed = options.changed ? listChangedFiles() : [];
const waiting = steps.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));

writeFileSync(passedFile, JSON.stringify(passed, null, 2));
writeFileSync(join(cache, "check.json"), JSON.stringify(results, null, 2));
const failed = results.filter((result) => !result.ok).length;
const seconds = ((performance.now() - started) / 1000).toFixed(1);
process.stdout.write(`${results.length - failed} of ${results.length} checks passed in ${seconds} s\n`);
process.exit(failed > 0 ? 1 : 0);

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const hash = hashInputs(step.files);
    if (passed[step.name] === hash) {
      results.push({ name: step.name, ok: true, seconds: 0 });
      process.stdout.write(`ok     ${step.name.padEnd(22)} unchanged\n`);
      continue;
    }
    const isPart = options.changed && step.onlyChanged;
    const files = isPart ? changed.filter((file) => step.onlyChanged.test(file)) : (step.all ?? []);
    const isNothing = isPart && files.length === 0;
    const { code, output, seconds } = isNothing
      ? { code: 0, output: "", seconds: 0 }
      : await run([...step.args, ...files], { env: { NO_COLOR: "1", FORCE_COLOR: undefined, ...step.env } });
    const ok = code === 0;
    if (ok && !isPart) passed[step.name] = hash;
    results.push({ name: step.name, ok, seconds });
    process.stdout.write(`${ok ? "ok    " : "FAILED"} ${step.name.padEnd(22)} ${seconds.toFixed(1).padStart(5)} s\n`);
    if (ok && !step.isShown) continue;
    process.stdout.write(`${output.trimEnd().replace(/^/gm, "    ")}\n`);
    if (!ok && step.fix) process.stdout.write(`    Fix it with: ${step.fix}\n`);
  }
}

function hashInputs(files) {
  const inputs = hashes.filter(([file]) => files.test(file) || everywhere.test(file));
  return createHash("sha256").update(inputs.join("\n")).digest("hex");
}

function hashFile(file) {
  return createHash("sha256")
    .update(readFileSync(join(root, file)))
    .digest("hex");
}
