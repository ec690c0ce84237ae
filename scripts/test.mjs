/**
 * Runs the tests that every change must pass (`npm test`), even after a failure. Prints the failed tests and the counts at
 * the end; the last line reads `N passed, N failed`. No test runs a second time: a test that fails once has a fault.
 *
 * `--all` (`npm run test:all`) adds everything that takes long by nature. `--changed` runs only the tests of the nouns and
 * areas with changes that aren't on main. docs/testing.md lists what each level guards.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { listChangedFiles } from "./changed-files.mjs";
import { findChromium, findOtherBrowsers } from "./chromium.mjs";
import { bin, endRuns, exitCode, root, run, onStopSignal, typescript } from "./runtime.mjs";

const { values: options } = parseArgs({
  options: { all: { type: "boolean", default: false }, changed: { type: "boolean", default: false } },
});

/** Time limit for each part, so that the counts are printed even if a test hangs. */
const PART_LIMIT_MS = (options.all ? 300 : 40) * 60_000;

const shortProjects = ["unit", "api", "web"];

onStopSignal((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });
const started = performance.now();
const parts = [];

parts.push(
  await runPart({
    title: "Checks",
    args: ["scripts/check.mjs", ...(options.changed ? ["--changed"] : [])],
    report: "check",
    count: countChecks,
  }),
);

const files = options.changed ? findTests(listChangedFiles()) : [];
if (!options.changed || files.some((file) => !file.includes(".browser.")))
  parts.push(
    await runPart({
      title: "Unit, API and web tests",
      // With --update=none, a missing golden file fails the test instead of being written.
      args: [
        bin("vitest"),
        "run",
        "--update=none",
        ...(options.all ? [] : shortProjects.flatMap((name) => ["--project", name])),
        "--reporter=default",
        "--reporter=json",
        `--outputFile=${getReport("vitest")}`,
        ...files,
        ...(options.changed ? ["--passWithNoTests"] : []),
      ],
      report: "vitest",
      count: countVitest,
    }),
  );
if (!options.changed) parts.push(await runBrowserTests());
if (options.all)
  for (const [title, script, env] of [
    ["Weight of pages", "scripts/check-weights.mjs"],
    ["Planted faults", "tests/planted/run.mjs"],
    ["Mutation score", "tools/mutation/run.mjs"],
    // The soak of two hours is for `npm run test:operations -- soak`.
    ["Operations", "tests/operations/run.ts", { SOAK_MINUTES: "10" }],
  ])
    parts.push(await runPart({ title, args: [...typescript, script], env }));

process.stdout.write(`\n${"═".repeat(78)}\n`);
for (const { title, passed, failed, skipped, seconds, note } of parts) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  process.stdout.write(
    `${title.padEnd(26)}${counts.padEnd(34)}${seconds.toFixed(0).padStart(5)} s${note ? `  ${note}` : ""}\n`,
  );
}
for (const { title, failures, messages = {} } of parts) {
  for (const name of failures) {
    process.stdout.write(`Failed  ${title}: ${name}\n`);
    if (messages[name]) process.stdout.write(`${messages[name].slice(0, 1_000).trimEnd().replace(/^/gm, "    ")}\n`);
  }
}
const sum = (name) => parts.reduce((total, one) => total + one[name], 0);
process.stdout.write(`${"Together".padEnd(60)}${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") > 0 ? 1 : 0);

async function runBrowserTests() {
  const chromium = await findChromium();
  const missing = chromium.missing ?? (options.all ? await findOtherBrowsers() : null);
  if (missing) {
    const nothing = { passed: 0, failed: 1, skipped: 0, failures: [], seconds: 0 };
    return { title: "Browser tests", ...nothing, note: missing };
  }
  return runPart({
    title: options.all ? "Browser tests" : "Browser journeys",
    args: [
      bin("@playwright/test", "playwright"),
      "test",
      ...(options.all ? [] : ["--project=journeys", "--grep-invert=@long"]),
      "--reporter=list,json",
    ],
    report: "playwright",
    count: countPlaywright,
    env: { CHROMIUM_PATH: chromium.path, PLAYWRIGHT_JSON_OUTPUT_FILE: getReport("playwright") },
  });
}

/** Runs a program. A program without a report counts as one test, which its exit code decides. */
async function runPart({ title, args, report, count, env = {} }) {
  process.stdout.write(`\n══ ${title} ${"═".repeat(74 - title.length)}\n`);
  const file = report && getReport(report);
  if (file) rmSync(file, { force: true });
  const { code, seconds } = await run(args, { show: true, env, limitMs: PART_LIMIT_MS });
  const counted = file
    ? existsSync(file)
      ? count(JSON.parse(readFileSync(file, "utf8")))
      : { passed: 0, failed: 0, skipped: 0, failures: [] }
    : { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0, failures: [] };
  // A runner that exits with an error without reporting a failed test counts as failed, too.
  const isSilent = code !== 0 && counted.failed === 0;
  const isEmpty = !options.changed && code === 0 && counted.passed + counted.failed === 0;
  return {
    title,
    ...counted,
    failed: counted.failed + (isSilent || isEmpty ? 1 : 0),
    seconds,
    note: isSilent ? `ended with code ${code}` : isEmpty ? "ran no test" : "",
  };
}

function getReport(name) {
  return join(cache, `${name}.json`);
}

/**
 * Returns the folders of the tests of changed files, and changed test files themselves. `tests/tooling` tests what is
 * outside the folders of the product: scripts, documents, workflows and files for deployment. `tests/app/contract` tests the
 * guides for integrators.
 */
function findTests(changed) {
  const folders = changed.flatMap((file) => {
    if (/^tests\/.*\.test\.tsx?$/.test(file)) return [file];
    const [part, area, noun] = file.split("/");
    if (part === "schema") return ["tests/app/fields", "tests/app/contract"];
    if (part === "tests") return [];
    if (part === "docs" || part === "clients") return ["tests/tooling/", "tests/app/contract/"];
    if (part !== "api" && part !== "web") return ["tests/tooling/"];
    const folder = `tests/${area}/${noun}/`;
    return [existsSync(join(root, folder)) ? folder : `tests/${area}/`];
  });
  return [...new Set(folders)].filter((path) => existsSync(join(root, path)));
}

function countChecks(results) {
  const failures = results.filter((result) => !result.ok).map(({ name }) => name);
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures };
}

function countVitest(report) {
  // A file that failed to load has no test results, and one whose hook failed has only skipped tests.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  );
  const failed = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => [`${relative(root, file.name)} ${fullName}`, failureMessages.join("\n")]),
  );
  const messages = Object.fromEntries([...broken.map((file) => [relative(root, file.name), file.message]), ...failed]);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures: Object.keys(messages),
    messages,
  };
}

function countPlaywright({ stats, suites, errors = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: listSpecs(suites, "").flatMap(({ name, tests }) =>
      tests.some(({ status }) => status === "unexpected" || status === "flaky") ? [name] : [],
    ),
  };
}

function listSpecs(suites = [], path) {
  return suites.flatMap(({ title, specs = [], suites: inner }) => [
    ...specs.map(({ title: name, tests }) => ({ name: `${path}${title} ${name}`, tests })),
    ...listSpecs(inner, `${path}${title} `),
  ]);
}
