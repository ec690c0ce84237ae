import { expect } from "vitest";
import { getStartOfDay } from "#schema/days.ts";
import { HOUR } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const next = new Date().getUTCFullYear() + 1;
/** The next year before a leap year, so that the years of licences from its January have 365 days. */
export const year = next + ((7 - (next % 4)) % 4);

/** The month of the bookkeeper's table. */
export const january = { startDate: `${year}-01-01`, endDate: `${year}-01-31` };

/** The balances of the accounts at the end of January, in cents. */
export const balances = {
  "Accounts receivable": 300_000,
  "Card clearing": 229_764 - 111_650,
  Bank: 400_000,
  "Deferred revenue": -635_758,
  Revenue: -109_344,
  "GST collected": -73_012,
};

export const toCents = (dollars: string | undefined) => Math.round(Number(dollars) * 100);

/** Returns the balance of each account in the rows of a journal file, in cents. */
export function sumAccounts(rows: readonly Record<string, string>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { Account = "", "Debit (AUD)": debit, "Credit (AUD)": credit } of rows)
    sums[Account] = (sums[Account] ?? 0) + toCents(debit) - toCents(credit);
  return sums;
}

/** Moves the clock to 9:00 of a day in the seller's time zone and processes what becomes due. */
export async function goTo(app: TestApp, day: string): Promise<void> {
  const ms = getStartOfDay(day).getTime() + 9 * HOUR - app.clock.now().getTime();
  const { status } = await app.rest("POST", "/dev/clock", { body: { advanceSeconds: Math.round(ms / 1_000) } });
  expect(status).toBe(200);
}
