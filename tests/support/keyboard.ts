import type { Locator, Page } from "@playwright/test";
import { expect } from "./browser.ts";

/** Most stops of the longest form. */
const MOST_STOPS = 80;

/** Tabs on until the control with that role and name has the focus; it must be seen to have it. */
export async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name, ...(typeof name === "string" ? { exact: true } : {}) });
  for (let steps = 0; steps < MOST_STOPS; steps++) {
    await page.keyboard.press("Tab");
    if (await target.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) {
      await expectSeen(page, target.and(page.locator(":focus")));
      return;
    }
  }
  throw new Error(`Tab never reached the ${role} ${String(name)}`);
}

/** The same for a field, which may have the focus already. */
export async function tabToField(page: Page, label: string): Promise<void> {
  const target = page.getByLabel(label, { exact: true });
  for (let steps = 0; steps < MOST_STOPS; steps++) {
    if (await target.evaluate((one) => one === document.activeElement)) return expectSeen(page, target);
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${label}`);
}

/** What has the focus is on the screen, and a ring or a shadow says so. */
async function expectSeen(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const ring = await page.evaluate(() => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  });
  expect(ring, `the focus on ${String(target)} can be seen`).toBe(true);
}
