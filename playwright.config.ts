import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { defineConfig } from "@playwright/test";

/**
 * The two halves run in parallel, each on a separate server and database. One test can't move another test's clock, and
 * the tests of a half run in the same order every time. Tests in a new folder run in the first half.
 */
const secondHalf = /[\\/](playground|public-site|subscriptions|ui)[\\/][\w-]+\.browser\.test\.ts$/;

/** Measures performance, so it runs alone after both halves. */
const lighthouse = /[\\/]lighthouse\.browser\.test\.ts$/;

// Playwright loads this file in every process. The first one sets the variables and the others inherit them.
process.env.BROWSER_TEST_PORTS ??= (await findFreePorts(2)).join();
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

const chromium = process.env.CHROMIUM_PATH ?? (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.browser.test.ts",
  outputDir: "test-results",
  workers: 2,
  projects: [
    { name: "first half", workers: 1, testIgnore: [secondHalf, lighthouse], use: { baseURL: urls[0] } },
    { name: "second half", workers: 1, testMatch: secondHalf, testIgnore: lighthouse, use: { baseURL: urls[1] } },
    {
      name: "lighthouse",
      workers: 1,
      testMatch: lighthouse,
      dependencies: ["first half", "second half"],
      use: { baseURL: urls[0] },
    },
  ],
  // `npm test` lists the tests that passed only when retried.
  retries: process.env.CI ? 1 : 0,
  // Twice the time a test needs, because two run in parallel.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  use: {
    locale: "en-AU",
    timezoneId: "Australia/Perth",
    screenshot: "only-on-failure",
    // Tracing makes all tests a tenth slower. To trace one file, run `playwright test --trace on FILE`.
    trace: "off",
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
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
    },
  },
  webServer: ports.map((port, half) => ({
    command: "node scripts/start.mjs",
    url: `${urls[half]}/health/ready`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      NODE_ENV: "development",
      PORT: port,
      DATA_DIR: join(dataDir, port),
      PUBLIC_URL: urls[half] ?? "",
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
