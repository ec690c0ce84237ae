/**
 * Runs every check and test (`npm test`), even after a failure. Prints the failed tests and the counts at the end; the last
 * line reads `N passed, N failed`. A test that passes only on the second try counts as passed and is listed as flaky, so
 * that its cause can be found. So does a test file that passes when it runs a second time, alone.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { findChromium } from "./chromium.mjs";
import { bin, endRuns, exitCode, root, run, onStopSignal } from "./runtime.mjs";

/** Time limit for each part, so that the counts are printed even if a test hangs. */
const PART_LIMIT_MS = 25 * 60_000;

/** More failed files than this are not run again: their tests failed for a reason. */
const FILES_TO_RUN_AGAIN = 5;

onStopSignal((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });
const reports = Object.fromEntries(
  ["check", "vitest", "vitest-again", "playwright"].map((name) => [name, join(cache, `${name}.json`)]),
);
for (const report of Object.values(reports)) rmSync(report, { force: true });

const started = performance.now();
const chromium = await findChromium();
if (chromium.missing) process.stdout.write(`${chromium.missing}\nThe other tests run without it.\n`);

const parts = [
  await part("Checks", ["scripts/check.mjs"], reports.check, countChecks),
  await runVitest(),
  chromium.path
    ? await part(
        "Browser tests",
        [bin("@playwright/test", "playwright"), "test"],
        reports.playwright,
        countPlaywright,
        {
          CHROMIUM_PATH: chromium.path,
        },
      )
    : {
        title: "Browser tests",
        passed: 0,
        failed: 1,
        skipped: 0,
        failures: [],
        flaky: [],
        seconds: 0,
        note: chromium.missing,
      },
];

process.stdout.write(`\n${"═".repeat(78)}\n`);
for (const { title, passed, failed, skipped, seconds, note } of parts) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  process.stdout.write(
    `${title.padEnd(26)}${counts.padEnd(34)}${seconds.toFixed(0).padStart(5)} s${note ? `  ${note}` : ""}\n`,
  );
}
for (const { title, failures, flaky, messages = {} } of parts) {
  for (const name of failures) {
    process.stdout.write(`Failed  ${title}: ${name}\n`);
    if (messages[name]) process.stdout.write(`${messages[name].slice(0, 1_000).trimEnd().replace(/^/gm, "    ")}\n`);
  }
  for (const name of flaky) process.stdout.write(`Flaky   ${title}: ${name}\n`);
}
const sum = (name) => parts.reduce((total, one) => total + one[name], 0);
process.stdout.write(`${"Together".padEnd(60)}${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") > 0 ? 1 : 0);

async function part(title, args, report, count, env = {}) {
  process.stdout.write(`\n══ ${title} ${"═".repeat(74 - title.length)}\n`);
  const { code, seconds } = await run(args, { show: true, env, limitMs: PART_LIMIT_MS });
  const counted = existsSync(report)
    ? count(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  // A runner that exits with an error without reporting a failed test counts as failed, too.
  const silent = code !== 0 && counted.failed === 0;
  const empty = code === 0 && counted.passed + counted.failed === 0;
  return {
    title,
    ...counted,
    failed: counted.failed + (silent || empty ? 1 : 0),
    seconds,
    note: silent ? `ended with code ${code}` : empty ? "ran no test" : "",
  };
}

/** Runs the tests, and the files that failed a second time if there are few of them. */
async function runVitest() {
  // With --update=none, a missing golden file fails the test instead of being written.
  const args = [bin("vitest"), "run", "--update=none"];
  const runInto = (report, title, files = []) =>
    part(title, [...args, ...files], report, (counted) => countVitest(counted, report), { VITEST_JSON: report });
  const first = await runInto(reports.vitest, "Unit, API and web tests");
  const files = [...new Set(first.failures.map((name) => name.split(" ", 1)[0]))];
  if (files.length === 0 || files.length > FILES_TO_RUN_AGAIN) return first;
  const again = await runInto(reports["vitest-again"], "Failed files, a second time", files);
  const passing = first.failures.filter((name) => !again.failures.includes(name));
  return {
    ...again,
    title: first.title,
    passed: first.passed + passing.length,
    skipped: first.skipped,
    flaky: [...first.flaky, ...again.flaky, ...passing],
    messages: { ...first.messages, ...again.messages },
    seconds: first.seconds + again.seconds,
  };
}

function countChecks(results) {
  const failures = results.filter((result) => !result.ok).map(({ name }) => name);
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures, flaky: [] };
}

function countVitest(report, path) {
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
    flaky: JSON.parse(readFileSync(`${path}.flaky`, "utf8")).map((name) => relative(root, name)),
  };
}

function countPlaywright({ stats, suites, errors = [] }) {
  const named = (status) =>
    listSpecs(suites, "").flatMap(({ name, tests }) => (tests.some((one) => one.status === status) ? [name] : []));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: named("unexpected"),
    flaky: named("flaky"),
  };
}

function listSpecs(suites = [], path) {
  return suites.flatMap(({ title, specs = [], suites: inner }) => [
    ...specs.map(({ title: name, tests }) => ({ name: `${path}${title} ${name}`, tests })),
    ...listSpecs(inner, `${path}${title} `),
  ]);
}
