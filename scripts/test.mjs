/**
 * `npm test`: every check and test there is. Goes on to the end whatever fails, and ends with the
 * counts; the last line reads `N passed, N failed`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./chromium.mjs";
import { bin, endRuns, exitCode, root, run, whenAskedToEnd } from "./runtime.mjs";

/** A test that never ends must not keep the counts from being told. */
const PART_LIMIT_MS = 25 * 60_000;

whenAskedToEnd((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });
const reports = Object.fromEntries(
  ["check", "vitest", "playwright"].map((name) => [name, join(cache, `${name}.json`)]),
);
for (const report of Object.values(reports)) rmSync(report, { force: true });

const started = performance.now();
const chromium = await findChromium();
if (chromium.missing) process.stdout.write(`${chromium.missing}\nThe other tests run without it.\n`);

const parts = [
  await part("Checks", ["scripts/check.mjs"], reports.check, countChecks),
  // A published answer that is missing has failed; it is not written by the way.
  await part("Unit, API and web tests", [bin("vitest"), "run", "--update=none"], reports.vitest, countVitest, {
    VITEST_JSON: reports.vitest,
  }),
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
    : { title: "Browser tests", passed: 0, failed: 1, skipped: 0, seconds: 0, note: chromium.missing },
];

process.stdout.write(`\n${"═".repeat(78)}\n`);
for (const { title, passed, failed, skipped, seconds, note } of parts) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  process.stdout.write(
    `${title.padEnd(26)}${counts.padEnd(34)}${seconds.toFixed(0).padStart(5)} s${note ? `  ${note}` : ""}\n`,
  );
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
    : { passed: 0, failed: 0, skipped: 0 };
  // A runner that fails without a failed test has met a fault of its own, which must not count as green.
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

function countChecks(results) {
  const failed = results.filter((result) => !result.ok).length;
  return { passed: results.length - failed, failed, skipped: 0 };
}

function countVitest(report) {
  // A file that could not be loaded has failed without a test in it.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

function countPlaywright({ stats, errors = [] }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}
