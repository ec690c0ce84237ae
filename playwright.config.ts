import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { defineConfig } from "@playwright/test";

/** The journeys of `npm test`. They make their own data and never move the clock, so both workers share a server. */
const journeys = /[\\/]journeys[\\/]/;

/** Tests that judge speed, so each runs alone after all others. */
const quality = /[\\/](lighthouse|slow-line|users-grid)\.browser\.test\.ts$/;

/**
 * The two halves of the other tests run in parallel, each on a separate server and database. One test can't move another
 * test's clock, and the tests of a half run in the same order every time. Tests in a new folder run in the first half.
 */
const secondHalf = /[\\/](playground|public-site|subscriptions|ui)[\\/][\w-]+\.browser\.test\.ts$/;

/** The journeys that also run in Firefox and WebKit. */
const everywhere = /[\\/]journeys[\\/](trial|subscription|move-device|two-step-sign-in|staff-refund|report)\./;

const webkit = /[\\/]webkit[\\/]/;

/** Number of the server that each project uses. */
const serverOf = { journeys: 0, firefox: 0, webkit: 0, "first half": 1, quality: 1, "second half": 2 };

/** Only the servers of the projects named on the command line are started. `quality` runs the others first. */
const chosen = Object.keys(serverOf).filter((name) => process.argv.includes(`--project=${name}`));
const hasAll = chosen.length === 0 || (chosen.includes("quality") && !process.argv.includes("--no-deps"));
const started = Object.entries(serverOf).flatMap(([name, server]) => (hasAll || chosen.includes(name) ? [server] : []));

/** Without `@long` tests, as in `npm test`, axe reads each screen in one colour scheme. */
const isShort = process.argv.includes("--grep-invert=@long");

// Playwright loads this file in every process. The first one sets the variables and the others inherit them.
process.env.BROWSER_TEST_SCHEMES ??= isShort ? "light" : "light,dark";
process.env.BROWSER_TEST_PORTS ??= (await findFreePorts(3)).join();
if (!process.env.BROWSER_TEST_DATA) {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-browser-"));
  process.env.BROWSER_TEST_DATA = dataDir;
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
}
const dataDir = process.env.BROWSER_TEST_DATA;
const ports = process.env.BROWSER_TEST_PORTS.split(",");
const urls = ports.map((port) => `http://localhost:${port}`);

/**
 * Features of Chromium that the tests don't need. The first two load two pages for the address bar in every new window. The
 * last switch of this name counts, so the list repeats Playwright's.
 */
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

const chromiumPath = process.env.CHROMIUM_PATH ?? (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);

const chromium = {
  ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  args: [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    `--disable-features=${disabledFeatures.join()}`,
  ],
};

const firefox = {
  browserName: "firefox" as const,
  channel: "moz-firefox",
  launchOptions: { executablePath: join(import.meta.dirname, "tests/support/firefox.mjs"), args: [] as string[] },
};

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.browser.test.ts",
  outputDir: "test-results",
  workers: 2,
  projects: [
    { name: "journeys", testMatch: journeys, fullyParallel: true, use: { baseURL: urls[0] } },
    // Debian's Firefox over WebDriver BiDi.
    { name: "firefox", testMatch: everywhere, workers: 1, use: { baseURL: urls[0], ...firefox } },
    // Debian's WebKit over WebDriver, which Playwright doesn't speak, so it has shorter journeys of its own.
    { name: "webkit", testMatch: webkit, workers: 1, use: { baseURL: urls[0] } },
    { name: "first half", workers: 1, testIgnore: [journeys, webkit, secondHalf, quality], use: { baseURL: urls[1] } },
    { name: "second half", workers: 1, testMatch: secondHalf, testIgnore: quality, use: { baseURL: urls[2] } },
    {
      name: "quality",
      workers: 1,
      testMatch: quality,
      dependencies: ["journeys", "first half", "second half"],
      use: { baseURL: urls[1] },
    },
  ],
  // Only stops a test that hangs: tests wait for conditions, which take many times as long on a busy machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  use: {
    locale: "en-AU",
    timezoneId: "Australia/Perth",
    screenshot: "only-on-failure",
    // Tracing makes all tests a tenth slower. To trace one file, run `playwright test --trace on FILE`.
    trace: "off",
    launchOptions: chromium,
  },
  webServer: [...new Set(started)].map((server) => ({
    command: "node scripts/start.mjs",
    url: `${urls[server]}/health/ready`,
    timeout: 600_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      NODE_ENV: "development",
      PORT: ports[server] ?? "",
      DATA_DIR: join(dataDir, ports[server] ?? ""),
      PUBLIC_URL: urls[server] ?? "",
      DATABASE_URL: "",
      SMTP_URL: "",
      RATE_LIMITS: "off",
      LOG_LEVEL: "error",
    },
  })),
});

/** Returns unused ports. Occupies each one until all are found, so that they differ. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const found = servers.map((server) => server.address());
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return found.map((address) => (typeof address === "object" && address ? address.port : 0));
}
