import { addDays, getCalendarDay } from "#schema/days.ts";
import { getLastDayOfMonth } from "#schema/staff-money.ts";

/** Number of months that a choice offers. */
const OFFERED = 13;

const getMonthBefore = (month: string) => addDays(`${month}-01`, -1).slice(0, 7);

/** Lists the months, `YYYY-MM`, that ended and aren't locked, newest first. */
export function listLockableMonths(lockedThrough: string | null, now: Date): string[] {
  const months: string[] = [];
  let month = getMonthBefore(getCalendarDay(now).slice(0, 7));
  while (months.length < OFFERED && getLastDayOfMonth(month) > (lockedThrough ?? "")) {
    months.push(month);
    month = getMonthBefore(month);
  }
  return months;
}

/** Lists the locked months, `YYYY-MM`, newest first. */
export function listLockedMonths(lockedThrough: string | null): string[] {
  const months: string[] = [];
  if (!lockedThrough) return months;
  for (let month = lockedThrough.slice(0, 7); months.length < OFFERED; month = getMonthBefore(month))
    months.push(month);
  return months;
}
