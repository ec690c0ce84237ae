import { addMonths, toEpochSeconds } from "#api/platform/clock.ts";
import type { Price } from "./objects.ts";

type Interval = Price["recurring"]["interval"];

export const DAY_SECONDS = 86_400;

/** Time after which an unpaid first invoice or an unpaid price change expires, in seconds. */
export const INCOMPLETE_SECONDS = 23 * 3_600;

/** Adds months or years to a time. If a month is too short for the anchor's day of the month, its last day is used. */
export function addIntervals(anchor: number, interval: Interval, count: number): number {
  return toEpochSeconds(addMonths(new Date(anchor * 1_000), count * (interval === "year" ? 12 : 1)));
}

/** Returns the first end of a billing period after `moment`, with periods counted from `anchor`. */
export function getPeriodEndAfter(moment: number, anchor: number, { interval }: { interval: Interval }): number {
  for (let periods = 1; ; periods++) {
    const end = addIntervals(anchor, interval, periods);
    if (end > moment) return end;
  }
}
