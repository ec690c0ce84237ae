import type { Locator, Page } from "@playwright/test";
import { expect } from "./browser.ts";

/** Most screens and clicks that a common ticket may take. */
const MOST_SCREENS = 3;
const MOST_CLICKS = 5;

/** Clicks and dialogs that the page counts during a ticket. */
interface Count {
  clicks: number;
  readonly dialogs: string[];
}

/** Work on one ticket, from the open command palette until its outcome. */
export interface Ticket {
  /** Types into the palette and lists the actions on the customer it finds. */
  findActions: (email: string) => Promise<void>;
  /** Types into the palette, and opens the first result, whose name has the text. */
  find: (text: string, result: string) => Promise<void>;
  /** Types the start of an action's name, and opens it. */
  choose: (action: string) => Promise<void>;
  /** Clicks. */
  click: (target: Locator) => Promise<void>;
  /** Replaces the text of a field, which is clicked first unless it has the focus. */
  type: (field: Locator, text: string) => Promise<void>;
  /** Chooses an option of a select with the pointer: one click opens the list, and another chooses. */
  select: (field: Locator, option: string) => Promise<void>;
}

/**
 * Opens the command palette on the admin home page, works on a ticket, and asserts that it takes at most 3 screens and 5
 * clicks. A screen is a page, a tab of a page, or a dialog; the palette is where the ticket starts. A click is a click, or
 * Enter, Space or an arrow key pressed instead of one. Typing isn't a click.
 * @returns a line with the counts
 */
export async function workOnTicket(page: Page, name: string, work: (ticket: Ticket) => Promise<void>): Promise<string> {
  await page.goto("/admin/");
  // The frame of the page has no shortcuts.
  await page.locator("html[data-page-ready]").waitFor({ state: "attached" });
  await page.evaluate(startCounting);
  const pages = new Set<string>();
  const addPage = () => {
    const { pathname, searchParams } = new URL(page.url());
    pages.add(`${pathname} ${searchParams.get("tab") ?? ""}`.trim());
  };
  page.on("framenavigated", addPage);
  let choices = 0;
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Find anyone or anything" }).first();
  await work({
    findActions: async (email) => {
      await expect(palette).toBeFocused();
      await page.keyboard.type(email);
      await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("ArrowRight");
      await expect(page.getByText(/^Actions on /)).toBeVisible();
    },
    find: async (text, result) => {
      await expect(palette).toBeFocused();
      await page.keyboard.type(text);
      await expect(page.getByRole("option").first()).toContainText(result);
      await page.keyboard.press("Enter");
    },
    choose: async (action) => {
      await page.keyboard.type(action);
      await expect(page.getByRole("option").first()).toContainText(new RegExp(`^${action}`, "i"));
      await page.keyboard.press("Enter");
    },
    click: (target) => target.click(),
    type: async (field, text) => {
      await expect(field).toBeVisible();
      if (!(await field.evaluate((one) => one === document.activeElement))) await field.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    select: async (field, option) => {
      await field.selectOption(option);
      choices += 2;
    },
  });
  page.off("framenavigated", addPage);
  const counted = await page.evaluate(() => (window as unknown as { ticket: Count }).ticket);
  const screens = [...pages, ...counted.dialogs];
  const clicks = counted.clicks + choices;
  expect(screens.length, `screens of the ticket “${name}”: ${screens.join(", ")}`).toBeLessThanOrEqual(MOST_SCREENS);
  expect(clicks, `clicks of the ticket “${name}”`).toBeLessThanOrEqual(MOST_CLICKS);
  return `${name}: ${screens.length} ${screens.length === 1 ? "screen" : "screens"}, ${clicks} clicks`;
}

/** Counts clicks and dialogs in the page. The portal doesn't load the document again during a ticket. */
function startCounting(): void {
  const ticket: Count = { clicks: 0, dialogs: [] };
  (window as unknown as { ticket: Count }).ticket = ticket;
  const isPress = ({ key, target }: KeyboardEvent) =>
    key === "Enter" || key.startsWith("Arrow") || (key === " " && !(target as Element).matches("input, textarea"));
  // Enter and Space on a button also send a click, without a pointer.
  document.addEventListener("click", (event) => event.isTrusted && event.detail > 0 && ticket.clicks++, true);
  document.addEventListener("keydown", (event) => event.isTrusted && isPress(event) && ticket.clicks++, true);
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      const dialog = node.closest("[role=dialog]") ?? node.querySelector("[role=dialog]");
      const title = document.getElementById(dialog?.getAttribute("aria-labelledby") ?? "")?.textContent;
      if (title && !ticket.dialogs.includes(title)) ticket.dialogs.push(title);
    }
  }).observe(document.body, { childList: true, subtree: true });
}
