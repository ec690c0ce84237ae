import { tabStorage } from "./storage.ts";

/** Storage key for the time of this tab's last automatic return from the maintenance page and the number of consecutive returns. */
const RETURNS_KEY = "xer-portal.returns";

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
/** Longest time between two returns that count as consecutive, in milliseconds. */
const IN_A_ROW_MS = 3 * LONGEST_DELAY_MS;

/**
 * Returns how long the maintenance page waits before it checks the server again, in milliseconds. The delay doubles
 * with each check and with each return that ends on the maintenance page again, so a page that keeps failing is
 * requested less often.
 */
export function getReturnDelay(checks: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (checks + countReturnsInARow()));
}

/** Records that the maintenance page returns to the previous page. */
export function recordReturn(): void {
  tabStorage.set(RETURNS_KEY, JSON.stringify({ count: countReturnsInARow() + 1, at: Date.now() }));
}

function countReturnsInARow(): number {
  try {
    const { count, at } = JSON.parse(tabStorage.get(RETURNS_KEY) ?? "{}") as { count?: number; at?: number };
    return count !== undefined && at !== undefined && Date.now() - at < IN_A_ROW_MS ? count : 0;
  } catch {
    return 0;
  }
}
