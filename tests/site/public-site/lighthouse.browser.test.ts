import { chromium } from "@playwright/test";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, test } from "#tests/support/browser.ts";
import { findFreePort } from "#tests/support/free-port.ts";

/** One page of each kind. */
const urls = ["/", "/product/xer-professional/", "/trial-and-subscribe/", "/faqs/", "/privacy-policy/", "/contact-us/"];

const perfect = { accessibility: 100, "best-practices": 100, seo: 100 };
/** Returns the lowest allowed scores of a page, out of 100. */
const getMinimumScores = (path: string) => ({ performance: path === "/" ? 95 : 90, ...perfect });

/** Highest allowed values: milliseconds, and the share of the screen that moves. */
const limits = { "largest-contentful-paint": 1_200, "total-blocking-time": 200, "cumulative-layout-shift": 0.01 };

/** Number of visits to a page. Each must pass. */
const VISITS = 3;

/** Benchmark index of the desktops that Lighthouse's slowdown of 4 is meant for. Slower ones need a smaller slowdown. */
const DESKTOP_INDEX = 1_500;

/** Makes this machine as slow as the phone. The first visit measures the machine and isn't judged. */
let cpuSlowdownMultiplier: number | undefined;

interface Audit {
  readonly id: string;
  readonly score: number | null;
  readonly displayValue?: string;
  readonly numericValue?: number;
}

/** The parts of a Lighthouse report that the tests read. */
interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: Record<string, { readonly score: number | null }>;
  readonly audits: Record<string, Audit>;
}

/** Runs Lighthouse, which `bench/lighthouse` installs because only `npm run test:all` installs it. */
async function runLighthouse(url: string, flags: object): Promise<Report> {
  const packages = createRequire(new URL("../../../bench/lighthouse/package.json", import.meta.url));
  const { default: lighthouse } = (await import(pathToFileURL(packages.resolve("lighthouse")).href)) as {
    default: (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;
  };
  const result = await lighthouse(url, { output: "json", logLevel: "silent", ...flags });
  if (!result) throw new Error("Lighthouse gave no result.");
  return result.lhr;
}

/** Starts a separate browser with a debugging port for Lighthouse. */
const debugged = test.extend<object, { debugPort: number }>({
  debugPort: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const port = await findFreePort();
      const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
      const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", `--remote-debugging-port=${port}`];
      const browser = await chromium.launch({ executablePath, args });
      await use(port);
      await browser.close();
    },
    { scope: "worker" },
  ],
});

for (const path of urls)
  debugged(`${path} passes Lighthouse on a phone`, async ({ debugPort, baseURL }) => {
    if (!cpuSlowdownMultiplier) await visit(baseURL, path, debugPort);
    for (let number = 1; number <= VISITS; number++)
      expect(await visit(baseURL, path, debugPort), `visit ${number}`).toEqual([]);
  });

/** Returns what is worse than allowed. */
async function visit(baseUrl: string | undefined, path: string, port: number): Promise<string[]> {
  const minimumScores = getMinimumScores(path);
  const throttling = { cpuSlowdownMultiplier: cpuSlowdownMultiplier ?? 4 };
  const settings = { onlyCategories: Object.keys(minimumScores), throttling };
  const { categories, audits, environment } = await runLighthouse(`${baseUrl}${path}`, { port, ...settings });
  // https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
  cpuSlowdownMultiplier = Math.min(4, Math.max(2, (4 * environment.benchmarkIndex) / DESKTOP_INDEX));
  const scores = Object.entries(minimumScores).flatMap(([name, minimum]) => {
    const score = Math.round((categories[name]?.score ?? 0) * 100);
    const lost = Object.values(audits).filter(({ score: one }) => one !== null && one < 0.9);
    return score >= minimum
      ? []
      : [`${name} ${score}: ${lost.map(({ id, displayValue }) => `${id} ${displayValue ?? ""}`).join(", ")}`];
  });
  const values = Object.entries(limits).flatMap(([name, limit]) => {
    const value = audits[name]?.numericValue ?? Number.POSITIVE_INFINITY;
    return value <= limit ? [] : [`${name} ${value.toFixed(2)}`];
  });
  const figures = Object.keys(limits).map((name) => `${name} ${audits[name]?.displayValue ?? ""}`);
  process.stdout.write(`${path} ${Math.round((categories.performance?.score ?? 0) * 100)}: ${figures.join(", ")}\n`);
  return [...scores, ...values];
}
