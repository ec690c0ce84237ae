import { addDays, getCalendarDay } from "./days.ts";

/** Longest pause of a subscription, in calendar months from today (docs/domain.md#pause). */
export const MAX_PAUSE_MONTHS = 3;

/**
 * Returns the first and the last day, `YYYY-MM-DD` in the vendor's time zone, on which a pause that starts now may end.
 */
export function getPauseDays(now: Date): { first: string; last: string } {
  const today = getCalendarDay(now);
  return { first: addDays(today, 1), last: addMonths(today, MAX_PAUSE_MONTHS) };
}

/** Returns the same day of a later month, or the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const [year = 1, month = 1, date = 1] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}
