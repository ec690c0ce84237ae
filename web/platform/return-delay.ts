/** When this tab last returned from the maintenance page by itself, and how often in a row. */
const RETURNS_KEY = "xer-portal.returns";

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
/** Returns that lie further apart than this are not in a row, ms. */
const IN_A_ROW_MS = 3 * LONGEST_DELAY_MS;

/**
 * Returns how long the maintenance page waits before it checks the server again, ms. The delay doubles with each check
 * and with each return that led straight back here, so that a page that keeps failing is requested less and less often.
 */
export function returnDelay(checks: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (checks + returnsInARow()));
}

/** Notes that the maintenance page returns to where the user was. */
export function noteReturn(): void {
  try {
    sessionStorage.setItem(RETURNS_KEY, JSON.stringify({ count: returnsInARow() + 1, at: Date.now() }));
  } catch {
    // Without storage the delay starts from the beginning each time.
  }
}

function returnsInARow(): number {
  try {
    const { count, at } = JSON.parse(sessionStorage.getItem(RETURNS_KEY) ?? "{}") as { count?: number; at?: number };
    return count !== undefined && at !== undefined && Date.now() - at < IN_A_ROW_MS ? count : 0;
  } catch {
    return 0;
  }
}
