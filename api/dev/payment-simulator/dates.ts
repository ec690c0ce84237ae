import { toEpochSeconds } from "#api/platform/clock.ts";
import type { Interval } from "./provider-objects.ts";

/** Seconds of an hour and of a day. */
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** How long a first payment, or a change that waits for its payment, stays open. */
export const INCOMPLETE_SECONDS = 23 * HOUR_SECONDS;

/** `anchor` moved on by `count` intervals; months keep the anchor's day where they have it, else their last. */
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

/** The first period end after `moment` of periods that are counted from `anchor`. */
export function periodEndAfter(
  moment: number,
  anchor: number,
  { interval, interval_count: size }: { interval: Interval; interval_count: number },
): number {
  for (let periods = 1; ; periods++) {
    const end = addIntervals(anchor, interval, periods * size);
    if (end > moment) return end;
  }
}

/** A date as invoice lines write it: `5 Mar 2026`. */
export function formatDay(moment: number): string {
  return new Intl.DateTimeFormat("en-AU", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    moment * 1_000,
  );
}
