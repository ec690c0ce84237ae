import type { Locator, Page } from "@playwright/test";
import { demoAccount, expect, signIn, test } from "#tests/support/browser.ts";

const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Time in milliseconds after which a first visit shows something useful, and after which it can be used. */
const USEFUL_MS = 3_000;
const USABLE_MS = 8_000;

interface FirstVisit {
  readonly path: string;
  readonly heading: RegExp;
  /** Demo account that is signed in. */
  readonly account?: string;
  /** Presses a control as soon as it is shown, and waits until the page has reacted. */
  readonly use: (page: Page) => Promise<void>;
  /** What shows the page's data, whose time is printed. */
  readonly data?: (page: Page) => Locator;
}

const visits: readonly FirstVisit[] = [
  {
    path: "/my-account/",
    heading: /^My Account$/,
    account: "ada",
    use: async (page) => {
      await page.getByRole("button", { name: "My Account" }).click();
      await page.getByRole("link", { name: "View My Account" }).waitFor();
    },
    data: (page) => page.getByRole("button", { name: "Copy Licence Code" }).first(),
  },
  {
    path: "/",
    heading: /./,
    use: async (page) => {
      await page.getByRole("button", { name: "Services" }).click();
      await page.getByRole("button", { name: "Services", expanded: true }).waitFor();
    },
  },
  {
    path: "/login/",
    heading: /^Login$/,
    use: async (page) => {
      await page.getByRole("button", { name: "Login" }).click();
      await page.getByText("Username is required.").waitFor();
    },
  },
];

for (const { path, heading, account, use, data } of visits)
  test(`shows ${path} within 3 s of a first visit on a slow line, and answers within 8 s`, async ({ page }) => {
    if (account) await signIn(page, demoAccount(account));
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    let [files, bytes] = [0, 0];
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      files += 1;
      bytes += encodedDataLength;
    });
    await session.send("Network.emulateNetworkConditions", LINE);
    const started = performance.now();
    await page.goto(path, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    const usefulMs = performance.now() - started;
    await use(page);
    const usableMs = performance.now() - started;
    await data?.(page).waitFor();
    const dataMs = performance.now() - started;
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    );
    const times = { "first paint": paintMs, heading: usefulMs, usable: usableMs, data: dataMs };
    const shown = Object.entries(times).map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
    const figures = `${path} ${shown.join(", ")}, ${files} files, ${Math.round(bytes / 1_000)} kB`;
    process.stdout.write(`${figures}\n`);
    expect(Math.max(usefulMs, paintMs), figures).toBeLessThanOrEqual(USEFUL_MS);
    expect(usableMs, figures).toBeLessThanOrEqual(USABLE_MS);
  });
