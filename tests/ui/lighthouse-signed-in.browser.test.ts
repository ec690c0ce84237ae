import { chromium, type BrowserContext } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, signInAsDemo, test } from "#tests/support/browser.ts";
import { findFreePort } from "#tests/support/free-port.ts";
import { runLighthouse } from "#tests/support/lighthouse.ts";

/** Signed-in pages by demo account. */
const pagesByAccount = {
  ada: ["/my-account/", "/licences/", "/manage-subscription/", "/change-subscription/", "/security/"],
  admin: ["/admin/", "/admin/manage-users/", "/admin/audit-log/"],
};

/** Time in milliseconds without requests or work after which Lighthouse regards a page as loaded. */
const quiet = { pauseAfterFcpMs: 0, pauseAfterLoadMs: 0, networkQuietThresholdMs: 500, cpuQuietThresholdMs: 500 };

/** Browser whose default profile Lighthouse shares, so that its pages are signed in. */
const signedIn = test.extend<{ profile: { context: BrowserContext; port: number } }>({
  profile: async ({ baseURL }, use) => {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
    const context = await chromium.launchPersistentContext(folder, {
      ...(baseURL ? { baseURL } : {}),
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", `--remote-debugging-port=${port}`],
    });
    await use({ context, port });
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

for (const [account, paths] of Object.entries(pagesByAccount))
  signedIn(`${account}'s pages get 100 for accessibility in Lighthouse`, async ({ profile, baseURL }) => {
    await signInAsDemo(await profile.context.newPage(), account);
    const faults: string[] = [];
    for (const path of paths) {
      const { categories, audits, finalDisplayedUrl } = await runLighthouse(`${baseURL}${path}`, {
        port: profile.port,
        onlyCategories: ["accessibility"],
        disableStorageReset: true,
        ...quiet,
        skipAboutBlank: true,
        disableFullPageScreenshot: true,
      });
      expect(new URL(finalDisplayedUrl).pathname).toBe(path);
      const lost = Object.values(audits).filter(({ score }) => score !== null && score < 1);
      if (categories.accessibility?.score !== 1) faults.push(`${path}: ${lost.map(({ id }) => id).join(", ")}`);
    }
    expect(faults).toEqual([]);
  });
