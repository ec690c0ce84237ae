import { TZDateMini } from "@date-fns/tz/date/mini";
import { brand } from "./brand.ts";
import { DAY_MS, formatDay, formatIsoDay, isDay } from "./dates.ts";

// PostgreSQL can read years 1 to 9999 in the format that JavaScript writes.
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
/** End of the last year with four digits. */
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Name of the vendor's time zone for titles and hints, such as `Brisbane time`. It is the same in summer and winter.
 */
export const vendorTimeName = `${brand.timeZone.split("/").at(-1)?.replaceAll("_", " ")} time`;

/** Returns the calendar day (`YYYY-MM-DD`) of a moment in a time zone, by default the vendor's. */
export function getCalendarDay(moment: Date, timeZone: string = brand.timeZone): string {
  return formatIsoDay(moment, timeZone);
}

/** Returns the first moment of a calendar day in a time zone, by default the vendor's. Supports days of 23 or 25 hours. */
export function getStartOfDay(day: string, timeZone: string = brand.timeZone): Date {
  const [year = 1, month = 1, date = 1] = day.split("-").map(Number);
  const start = new TZDateMini(2000, 0, 1, timeZone);
  // The constructor would interpret years 0 to 99 as 1900 to 1999.
  start.setFullYear(year, month - 1, date);
  return new Date(Math.min(Math.max(start.getTime(), FIRST_MS), LAST_MS));
}

/** Returns the last millisecond of a calendar day in a time zone, by default the vendor's. */
export function getEndOfDay(day: string, timeZone: string = brand.timeZone): Date {
  const next = addDays(day, 1);
  return new Date(next === day ? LAST_MS : getStartOfDay(next, timeZone).getTime() - 1);
}

/**
 * Returns the calendar day that is `days` days after `day`, or before it if `days` is negative. The last possible day
 * is 31 December 9999.
 */
export function addDays(day: string, days: number): string {
  return formatIsoDay(new Date(Math.min(toDayNumber(day) + days, Math.floor(LAST_MS / DAY_MS)) * DAY_MS), "UTC");
}

/** Returns the number of days from 1970-01-01 to a calendar day. */
export function toDayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** Longest pause of a subscription, in calendar months from today (docs/domain.md#pause). */
export const MAX_PAUSE_MONTHS = 3;

/**
 * Returns the first and the last day, `YYYY-MM-DD` in the vendor's time zone, on which a pause that starts now may end.
 */
export function getPauseDays(now: Date): { first: string; last: string } {
  const today = getCalendarDay(now);
  return { first: addDays(today, 1), last: addMonths(today, MAX_PAUSE_MONTHS) };
}

/** Returns why a pause that starts now can't end on a day, `YYYY-MM-DD` in the vendor's time zone; null if it can. */
export function explainPauseDay(day: string, now: Date): string | null {
  const { first, last } = getPauseDays(now);
  if (isDay(day) && day >= first && day <= last) return null;
  return day === "" ? "Choose a date." : `Choose a date from ${formatDay(first)} to ${formatDay(last)}.`;
}

/** Returns the same day of a later or, if `months` is negative, an earlier month, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 1, month = 1, date = 1] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/** Returns the last day of a month, `YYYY-MM`, or of the month of a calendar day. */
export function getLastDayOfMonth(day: string): string {
  const [year = 1, month = 1] = day.split("-").map(Number);
  // The years 1 to 99 are read as 1901 to 1999, whose months are as long.
  return `${day.slice(0, 7)}-${new Date(Date.UTC(year, month, 0)).getUTCDate()}`;
}
