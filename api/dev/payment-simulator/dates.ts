import { toEpochSeconds } from "#api/platform/clock.ts";
import type { Interval } from "./provider-objects.ts";

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** Time after which an unpaid first invoice or an unpaid price change expires, in seconds. */
export const INCOMPLETE_SECONDS = 23 * HOUR_SECONDS;

/** Adds intervals to a time. If a month is too short for the anchor's day of the month, its last day is used. */
export function addIntervals(anchor: number, interval: Interval, count: number): number {
  if (interval === "day") return anchor + count * DAY_SECONDS;
  if (interval === "week") return anchor + count * 7 * DAY_SECONDS;
  const date = new Date(anchor * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (interval === "year" ? 12 : 1));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return toEpochSeconds(date);
}

/** Returns the first end of a billing period after `moment`, with periods counted from `anchor`. */
export function getPeriodEndAfter(
  moment: number,
  anchor: number,
  { interval, interval_count: size }: { interval: Interval; interval_count: number },
): number {
  for (let periods = 1; ; periods++) {
    const end = addIntervals(anchor, interval, periods * size);
    if (end > moment) return end;
  }
}

/** Formats a date for an invoice line, such as `5 Mar 2026`. */
export function formatDay(moment: number): string {
  return new Intl.DateTimeFormat("en-AU", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    moment * 1_000,
  );
}
