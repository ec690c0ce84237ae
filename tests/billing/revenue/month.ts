import { expect } from "vitest";
import { getStartOfDay } from "#schema/days.ts";
import { HOUR } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const next = new Date().getUTCFullYear() + 1;
/** The next year before a leap year, so that the years of licences from its January have 365 days. */
export const year = next + ((7 - (next % 4)) % 4);

/** The month of the bookkeeper's table. */
export const january = { startDate: `${year}-01-01`, endDate: `${year}-01-31` };

/** Moves the clock to 9:00 of a day in the seller's time zone and processes what becomes due. */
export async function goTo(app: TestApp, day: string): Promise<void> {
  const ms = getStartOfDay(day).getTime() + 9 * HOUR - app.clock.now().getTime();
  const { status } = await app.rest("POST", "/dev/clock", { body: { advanceSeconds: Math.round(ms / 1_000) } });
  expect(status).toBe(200);
}
