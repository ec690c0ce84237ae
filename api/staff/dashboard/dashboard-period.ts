import { addDays, dayOf, numberOfDay, startOfDay } from "#schema/days.ts";

/** The days the dashboard covers, and as many before them; days are the vendor's. */
export interface DashboardPeriod {
  readonly days: number;
  /** The present. */
  readonly now: Date;
  /** The day of the present, `YYYY-MM-DD`. */
  readonly today: string;
  /** The first day, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** Beginning of the first day; the last one is today, so far. */
  readonly from: Date;
  /** Beginning of the period before, which ends where this one begins. */
  readonly before: Date;
}

/** Returns so many days that end today, in a time zone, by default the vendor's. */
export function periodOf(now: Date, days: number, timeZone?: string): DashboardPeriod {
  const today = dayOf(now, timeZone);
  const firstDay = addDays(today, 1 - days);
  const before = startOfDay(addDays(firstDay, -days), timeZone);
  return { days, now, today, firstDay, from: startOfDay(firstDay, timeZone), before };
}

/** Up to so many days are shown one by one; longer periods in weeks. */
const MOST_DAYS = 31;
const WEEK = 7;

/** What was counted on a day. */
export type OfDay<TValues> = Readonly<TValues> & { readonly date: string };

/** Sums over parts of the period: days, or weeks of which the last one ends today and the first may be shorter. */
export function partsOf<TName extends string>(
  { days, today, firstDay }: DashboardPeriod,
  names: readonly TName[],
  counted: readonly OfDay<Record<TName, number>>[],
): OfDay<Record<TName, number>>[] {
  const length = days <= MOST_DAYS ? 1 : WEEK;
  const count = Math.ceil(days / length);
  const nothing = Object.fromEntries(names.map((name) => [name, 0])) as Record<TName, number>;
  const partAt = (day: string) => count - 1 - Math.floor((numberOfDay(today) - numberOfDay(day)) / length);
  const parts = Array.from({ length: count }, (_, index) => {
    const begins = addDays(today, 1 - (count - index) * length);
    return { ...nothing, date: begins < firstDay ? firstDay : begins };
  });
  for (const day of counted) {
    if (day.date < firstDay) continue;
    const part = parts[partAt(day.date)];
    if (part) for (const name of names) (part[name] as number) += day[name];
  }
  return parts;
}

/** The sum over all days. */
export function sumOf<TName extends string>(name: TName, counted: readonly Readonly<Record<TName, number>>[]): number {
  return counted.reduce((sum, day) => sum + day[name], 0);
}
