import type { Locator, Page } from "@playwright/test";
import { expect } from "./browser.ts";

/** Upper limit of tab stops on a page. */
const MAX_STOPS = 80;

/** Presses Tab until the control with that role and name is focused, and asserts that the focus is visible. */
export async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name, ...(typeof name === "string" ? { exact: true } : {}) });
  for (let steps = 0; steps < MAX_STOPS; steps++) {
    await page.keyboard.press("Tab");
    if (await target.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) {
      await expectVisibleFocus(page, target.and(page.locator(":focus")));
      return;
    }
  }
  throw new Error(`Tab never reached the ${role} ${String(name)}`);
}

/** Presses Tab until the field with that label is focused, unless it is focused already. */
export async function tabToField(page: Page, label: string): Promise<void> {
  const target = page.getByLabel(label, { exact: true });
  for (let steps = 0; steps < MAX_STOPS; steps++) {
    if (await target.evaluate((one) => one === document.activeElement)) return expectVisibleFocus(page, target);
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached the field ${label}`);
}

/** Asserts that the focused element is in the viewport and that it, or the box of its field, has an outline or a shadow. */
async function expectVisibleFocus(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const ring = await page.evaluate(() => {
    const hasRing = (element: Element | null | undefined) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    };
    const { activeElement } = document;
    // A password field shares its box with a button.
    return hasRing(activeElement) || hasRing(activeElement?.parentElement);
  });
  expect(ring, `visible focus on ${String(target)}`).toBe(true);
}
