/** Starts the product with fresh demo data, and starts a browser. */
import { chromium } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "../../scripts/build.mjs";
import { findChromium } from "../../scripts/chromium.mjs";
import { keepServer } from "../../scripts/runtime.mjs";
import { findFreePort } from "../../tests/support/free-port.ts";
import { waitUntilReady } from "../../tests/support/server-process.ts";

/** Password of every demo account. */
export const DEMO_PASSWORD = "Demo-pass-1";

/**
 * Starts the product on an empty folder, and starts a browser. If `PORTAL_URL` is set, uses that running portal
 * instead.
 * @returns {Promise<{ missing: string } | { url: string, browser: import("@playwright/test").Browser, close: () =>
 * Promise<void> }>}
 */
export async function openPortal() {
  const found = await findChromium();
  if ("missing" in found) return found;
  const portal = process.env.PORTAL_URL ? { url: process.env.PORTAL_URL, stop: async () => {} } : await startPortal();
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];
  // Text with subpixel rendering looks wrong when the picture is scaled.
  const browser = await chromium.launch({ executablePath: found.path, args: [...args, "--disable-lcd-text"] });
  const close = async () => {
    await browser.close();
    await portal.stop();
  };
  return { url: portal.url, browser, close };
}

async function startPortal() {
  await build();
  const folder = mkdtempSync(join(tmpdir(), "portal-media-"));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const server = keepServer(["dist/server/server.js"], {
    env: {
      // Has demo data.
      NODE_ENV: "development",
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: folder,
      DATABASE_URL: "",
      RATE_LIMITS: "off",
      LOG_LEVEL: "error",
    },
  });
  const fail = () => {
    throw new Error("The portal did not start.");
  };
  await Promise.race([waitUntilReady(url, 120_000), server.ended.then(fail)]);
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

/**
 * Opens a page with double pixel density, without animations, in Brisbane time.
 * @param {{ scheme?: "light" | "dark", width?: number, height?: number, scale?: number }} look
 */
export async function openPage({ browser, url }, { scheme = "light", width = 1280, height = 800, scale = 2 } = {}) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale: "en-AU",
    timezoneId: "Australia/Brisbane",
    acceptDownloads: true,
  });
  return context.newPage();
}

/** Signs in as a demo user (README) and waits for the first page. */
export async function signIn(page, who) {
  await page.goto("/login/");
  await page.getByLabel("Username").fill(`${who}@demo.test`);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL((address) => !address.pathname.startsWith("/login"));
  await waitUntilIdle(page);
}

/** Sends a GraphQL operation as a demo user, and returns its data. @throws Error if the server refuses it */
export async function sendAs(url, who, query, variables) {
  const credentials = {
    UserName: `${who}@demo.test`,
    Password: DEMO_PASSWORD,
    ClientId: "portal",
    GrantType: "password",
  };
  const { access_token: token } = await postJson(`${url}/v1/core/auth/token`, credentials);
  const { data, errors } = await postJson(`${url}/graphql`, { query, variables }, { authorization: `Bearer ${token}` });
  if (errors) throw new Error(`${query}: ${errors.map(({ message }) => message).join(" ")}`);
  return data;
}

async function postJson(url, body, headers = {}) {
  const sent = { "content-type": "application/json", ...headers };
  return (await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) })).json();
}

/** Waits until requests and fonts have loaded, and removes the focus. */
export async function waitUntilIdle(page) {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    await Promise.all([window.fontsHere, document.fonts.ready]);
    document.activeElement?.blur();
  });
  await page.mouse.move(1, 400);
  await pause(250);
}
