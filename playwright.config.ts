import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { defineConfig } from "@playwright/test";

// Playwright reads this file in each of its processes; the first one decides and the others are told.
process.env.BROWSER_TEST_PORT ??= String(await freePort());
if (!process.env.BROWSER_TEST_DATA) {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-browser-"));
  process.env.BROWSER_TEST_DATA = dataDir;
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
}
const url = `http://localhost:${process.env.BROWSER_TEST_PORT}`;
const chromium = process.env.CHROMIUM_PATH ?? (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.browser.test.ts",
  outputDir: "test-results",
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  use: {
    baseURL: url,
    locale: "en-AU",
    timezoneId: "Australia/Perth",
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
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
      ],
    },
  },
  webServer: {
    command: "node scripts/start.mjs",
    url: `${url}/health/ready`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      NODE_ENV: "development",
      PORT: process.env.BROWSER_TEST_PORT,
      DATA_DIR: process.env.BROWSER_TEST_DATA,
      PUBLIC_URL: url,
      DATABASE_URL: "",
      SMTP_URL: "",
      RATE_LIMITS: "off",
      LOG_LEVEL: "error",
    },
  },
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
