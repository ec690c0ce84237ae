/** Finds the dialogs of a page by pressing its buttons while the server refuses changes. */
import operations from "../../schema/operations.json" with { type: "json" };
import { messageOfErrorCode } from "../../schema/error-codes.ts";
import { waitUntilIdle } from "./portal.mjs";

/** Row menus that are opened on a page: rows in different states have different actions. */
const MOST_MENUS = 4;

/**
 * Presses the buttons of the page, and pictures each dialog that opens, once. The server refuses all changes meanwhile.
 * @param {Set<string>} seen titles of dialogs that have been pictured
 */
export async function openDialogs(seen, page, { name: pageName, reopen, look, addLinks }) {
  const isChange = (route) => {
    const { query, extensions } = route.request().postDataJSON() ?? {};
    const text = query ?? operations[extensions?.persistedQuery?.sha256Hash] ?? "mutation";
    return /^\s*mutation/.test(text);
  };
  const refuse = (route) => (isChange(route) ? refuseRequest(route) : route.fallback());
  await page.route("**/graphql", refuse);
  const lookAtDialog = async () => {
    const dialog = page.getByRole("dialog").first();
    const isOpen = await dialog.waitFor({ timeout: 500 }).then(
      () => true,
      () => false,
    );
    if (!isOpen) return false;
    // Popovers, such as those of columns, have no heading.
    const title =
      (await dialog
        .getByRole("heading")
        .first()
        .textContent({ timeout: 500 })
        .catch(() => "")) ?? "";
    const key = title.replaceAll(/\d+|[A-Z]{2,}[\w-]*/g, "#");
    if (title && !seen.has(key)) {
      seen.add(key);
      await waitUntilIdle(page);
      await look(`${pageName}+${title.slice(0, 40).toLowerCase()}`);
    }
    return true;
  };
  /** Pictures the dialog that a button has opened, and returns to the page as it was. */
  const leave = async (before) => {
    const hasOpened = await lookAtDialog();
    if (!hasOpened && page.url() === before) return;
    await page.keyboard.press("Escape");
    const isGone = await page
      .getByRole("dialog")
      .waitFor({ state: "hidden", timeout: 1_000 })
      .then(
        () => true,
        () => false,
      );
    if (!isGone || page.url() !== before) await reopen();
  };
  const buttons = page.getByRole("main").locator("button:not([type=submit]):not([aria-haspopup=menu]):not([role])");
  const names = new Set();
  for (let index = 0; index < Math.min(40, await buttons.count()); index++) {
    const button = buttons.nth(index);
    const name = ((await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "").replaceAll(
      /\d+/g,
      "",
    );
    if (names.has(name) || !(await button.isVisible()) || !(await button.isEnabled())) continue;
    names.add(name);
    const before = page.url();
    await button.click({ timeout: 2_000 }).catch(() => undefined);
    await leave(before);
  }
  await openMenus(page, addLinks, async (item) => {
    const before = page.url();
    await item.click({ timeout: 2_000 }).catch(() => undefined);
    await leave(before);
  });
  await page.unroute("**/graphql", refuse);
}

/** Opens the row menus of a page, and presses each of their items once, if `press` is given. */
export async function openMenus(page, addLinks, press) {
  const menus = page.getByRole("main").locator("button[aria-haspopup=menu]");
  const pressed = new Set();
  for (let index = 0; index < Math.min(MOST_MENUS, await menus.count()); index++)
    for (let item = 0; ; item++) {
      await page.keyboard.press("Escape");
      await menus
        .nth(index)
        .click({ timeout: 2_000 })
        .catch(() => undefined);
      const items = page.getByRole("menuitem");
      await items
        .first()
        .waitFor({ timeout: 1_000 })
        .catch(() => undefined);
      await addLinks();
      if (!press || item >= (await items.count())) break;
      const name = await items.nth(item).textContent();
      if (pressed.has(name)) continue;
      pressed.add(name);
      await press(items.nth(item));
    }
  await page.keyboard.press("Escape");
}

/** Refuses a request as an overloaded server does. Without this answer, the page would say that the connection is lost. */
export const refuseRequest = (route) =>
  route.fulfill({
    status: 503,
    json: { errors: [{ message: messageOfErrorCode.UNAVAILABLE, extensions: { code: "UNAVAILABLE" } }] },
  });
