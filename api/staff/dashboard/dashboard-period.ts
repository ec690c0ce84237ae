import { addDays, getCalendarDay, toDayNumber, getStartOfDay } from "#schema/days.ts";

/** The days the dashboard covers and the same number of days before them, in the vendor's time zone. */
export interface DashboardPeriod {
  readonly days: number;
  readonly now: Date;
  /** Current day, `YYYY-MM-DD`. */
  readonly today: string;
  /** First day of the period, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** Start of the first day. The last day is today. */
  readonly from: Date;
  /** Start of the previous period, which ends where this one starts. */
  readonly before: Date;
}

/** Returns the period that ends today and lasts the given number of days. The time zone defaults to the vendor's. */
export function createPeriod(now: Date, days: number, timeZone?: string): DashboardPeriod {
  const today = getCalendarDay(now, timeZone);
  const firstDay = addDays(today, 1 - days);
  const before = getStartOfDay(addDays(firstDay, -days), timeZone);
  return { days, now, today, firstDay, from: getStartOfDay(firstDay, timeZone), before };
}

/** Length in days of the longest period that is shown by day. Longer periods are shown by week. */
const MAX_DAILY_DAYS = 31;
const WEEK = 7;

/** Values counted on one day. */
export type DailyValues<TValues> = Readonly<TValues> & { readonly date: string };

/** Sums daily values by day, or by week for long periods. The last week ends today, and the first may be shorter. */
export function groupByDayOrWeek<TName extends string>(
  { days, today, firstDay }: DashboardPeriod,
  names: readonly TName[],
  counted: readonly DailyValues<Record<TName, number>>[],
): DailyValues<Record<TName, number>>[] {
  const length = days <= MAX_DAILY_DAYS ? 1 : WEEK;
  const count = Math.ceil(days / length);
  const zeros = Object.fromEntries(names.map((name) => [name, 0])) as Record<TName, number>;
  const findPartIndex = (day: string) => count - 1 - Math.floor((toDayNumber(today) - toDayNumber(day)) / length);
  const parts = Array.from({ length: count }, (_, index) => {
    const begins = addDays(today, 1 - (count - index) * length);
    return { ...zeros, date: begins < firstDay ? firstDay : begins };
  });
  for (const day of counted) {
    if (day.date < firstDay) continue;
    const part = parts[findPartIndex(day.date)];
    if (part) for (const name of names) (part[name] as number) += day[name];
  }
  return parts;
}

/** Returns the sum of a value over the days of the period, and over those before it. */
export function toFigure<TName extends string>(
  { firstDay }: DashboardPeriod,
  name: TName,
  counted: readonly DailyValues<Record<TName, number>>[],
): { value: number; before: number } {
  const current = counted.filter(({ date }) => date >= firstDay);
  const before = counted.filter(({ date }) => date < firstDay);
  return { value: sumValues(name, current), before: sumValues(name, before) };
}

/** Returns the sum of a value over all days. */
export function sumValues<TName extends string>(
  name: TName,
  counted: readonly Readonly<Record<TName, number>>[],
): number {
  return counted.reduce((sum, day) => sum + day[name], 0);
}
