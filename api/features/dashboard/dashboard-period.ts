import { after, DAY } from "#api/platform/clock.ts";
import { dateOf, dayOf } from "./count-activity.ts";

/** The days the dashboard tells of, and as many before them; days are UTC. */
export interface DashboardPeriod {
  readonly days: number;
  /** The present. */
  readonly now: Date;
  /** Beginning of the first day; the last one is today, so far. */
  readonly from: Date;
  /** Beginning of the period before, which ends where this one begins. */
  readonly before: Date;
}

/** So many days that end today. */
export function periodOf(now: Date, days: number): DashboardPeriod {
  const from = after(dayOf(now), -(days - 1) * DAY);
  return { days, now, from, before: after(from, -days * DAY) };
}

/** Up to so many days are shown one by one; longer periods in weeks. */
const MOST_DAYS = 31;
const WEEK = 7;

/** What was counted on a day. */
export type OfDay<TValues> = Readonly<TValues> & { readonly date: string };

/** Sums over parts of the period: days, or weeks of which the last one ends today and the first may be shorter. */
export function partsOf<TName extends string>(
  { days, now, from }: DashboardPeriod,
  names: readonly TName[],
  counted: readonly OfDay<Record<TName, number>>[],
): OfDay<Record<TName, number>>[] {
  const length = days <= MOST_DAYS ? 1 : WEEK;
  const count = Math.ceil(days / length);
  const nothing = Object.fromEntries(names.map((name) => [name, 0])) as Record<TName, number>;
  const today = dayOf(now).getTime();
  const partAt = (ms: number) => count - 1 - Math.floor((today - ms) / (length * DAY));
  const parts = Array.from({ length: count }, (_, index) => {
    const begins = after(dayOf(now), -((count - index) * length - 1) * DAY);
    return { ...nothing, date: dateOf(begins < from ? from : begins) };
  });
  for (const day of counted) {
    if (day.date < dateOf(from)) continue;
    const part = parts[partAt(Date.parse(day.date))];
    if (part) for (const name of names) (part[name] as number) += day[name];
  }
  return parts;
}

/** The sum over all days. */
export function sumOf<TName extends string>(name: TName, counted: readonly Readonly<Record<TName, number>>[]): number {
  return counted.reduce((sum, day) => sum + day[name], 0);
}
