import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { expect, test } from "#tests/support/browser.ts";
import { findFreePort } from "#tests/support/free-port.ts";

/** One page of each kind. */
const pages = [
  "/",
  "/product/xer-professional/",
  "/trial-and-subscribe/",
  "/faqs/",
  "/privacy-policy/",
  "/contact-us/",
];

/** Lowest allowed scores out of 100. */
const minimumScores = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
const LARGEST_PAINT_MS = 1_200;
const LAYOUT_SHIFT = 0.01;

/** Maximum number of visits. The best one counts, because other load on the machine only slows pages down. */
const VISITS = 20;

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

for (const path of pages)
  debugged(`${path} passes Lighthouse on a phone`, async ({ debugPort, baseURL }) => {
    debugged.setTimeout(300_000);
    let best = await visit(`${baseURL}${path}`, debugPort);
    for (let tried = 1; tried < VISITS && best.faults.length > 0; tried += 1) {
      const next = await visit(`${baseURL}${path}`, debugPort);
      if (next.faults.length < best.faults.length) best = next;
    }
    expect(best.faults).toEqual([]);
  });

async function visit(url: string, port: number): Promise<{ faults: string[] }> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: Object.keys(minimumScores),
  });
  if (!result) throw new Error("Lighthouse gave no result.");
  const { categories, audits } = result.lhr;
  const scores = Object.entries(minimumScores).flatMap(([name, minimum]) => {
    const score = Math.round((categories[name]?.score ?? 0) * 100);
    const lost = Object.values(audits).filter(({ score: one }) => one !== null && one < 0.9);
    return score >= minimum
      ? []
      : [`${name} ${score}: ${lost.map(({ id, displayValue }) => `${id} ${displayValue ?? ""}`).join(", ")}`];
  });
  const paint = audits["largest-contentful-paint"]?.numericValue ?? Number.POSITIVE_INFINITY;
  const shift = audits["cumulative-layout-shift"]?.numericValue ?? Number.POSITIVE_INFINITY;
  return {
    faults: [
      ...scores,
      ...(paint <= LARGEST_PAINT_MS ? [] : [`largest paint after ${Math.round(paint)} ms`]),
      ...(shift <= LAYOUT_SHIFT ? [] : [`layout shift of ${shift.toFixed(3)}`]),
    ],
  };
}
