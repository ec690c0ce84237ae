import { dayOf, numberOfDay } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { DAY } from "#api/platform/clock.ts";
import { type AskedReport, rowsInPeriod } from "./period-report.ts";
import { quickly } from "./quickly.ts";
import { sellerDay } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** More points than this are not told apart by the eye. */
export const MOST_POINTS = 100;

/** How long a point of a series lasts; a week begins on Monday. */
export enum ReportBucket {
  DAY = "DAY",
  WEEK = "WEEK",
  MONTH = "MONTH",
  YEAR = "YEAR",
}

/** How many rows a report has in each part of its range. */
export interface Series {
  readonly bucket: ReportBucket;
  /** By the first day of each part, `YYYY-MM-DD` in the vendor's time zone; empty parts are there. */
  readonly points: readonly { readonly date: string; readonly count: number }[];
}

/**
 * Counts the rows of a report over its range, in at most {@link MOST_POINTS} parts. A range of more months than that is
 * cut to what there is, so that 'from the beginning of time' shows the years that hold something.
 * @throws AppError RATE_LIMITED; UNAVAILABLE when the range holds too much to count in a moment.
 */
export async function reportSeries(context: Context, asked: AskedReport): Promise<Series> {
  const source = reportSources[asked.reportType];
  const { rows } = await quickly(context, ({ pool }) =>
    pool.query<{ day: number; count: number }>(
      `select ${sellerDay(source.at)} - date '1970-01-01' as day, count(*)::int as count
         ${rowsInPeriod(source, asked)} group by 1 order by 1`,
    ),
  );
  return seriesOf(rows, numberOfDay(dayOf(asked.startDate)), numberOfDay(dayOf(asked.endDate)));
}

/**
 * Gathers counts by day, in order, into parts. Days are counted from 1970-01-01.
 * @param first the first day of the range
 * @param last the last day of the range
 */
export function seriesOf(
  days: readonly { readonly day: number; readonly count: number }[],
  first: number,
  last: number,
): Series {
  const [earliest, latest] = [days.at(0)?.day, days.at(-1)?.day];
  const isCut = partsOf("MONTH", first, last) > MOST_POINTS;
  if (isCut && (earliest === undefined || latest === undefined)) return { bucket: ReportBucket.YEAR, points: [] };
  const [from, to] = isCut ? [earliest ?? first, latest ?? last] : [first, last];
  const bucket = Object.values(ReportBucket).find((one) => partsOf(one, from, to) <= MOST_POINTS) ?? ReportBucket.YEAR;
  const end = numberOf(bucket, to);
  // Of what lies further back than a hundred years, the first part is told.
  const begin = Math.max(numberOf(bucket, from), end - MOST_POINTS + 1);
  const counts = Array.from({ length: end - begin + 1 }, () => 0);
  for (const { day, count } of days) {
    const at = Math.max(0, numberOf(bucket, day) - begin);
    counts[at] = (counts[at] ?? 0) + count;
  }
  return { bucket, points: counts.map((count, at) => ({ date: firstDayOf(bucket, begin + at), count })) };
}

/** 1970-01-01 was a Thursday. */
const MONDAY = 3;

const partsOf = (bucket: `${ReportBucket}`, first: number, last: number) =>
  numberOf(bucket, last) - numberOf(bucket, first) + 1;

/** The number of the part that a day lies in. */
function numberOf(bucket: `${ReportBucket}`, day: number): number {
  const date = new Date(day * DAY);
  if (bucket === "DAY") return day;
  if (bucket === "WEEK") return Math.floor((day + MONDAY) / 7);
  return bucket === "MONTH" ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getUTCFullYear();
}

/** The first day of a part, `YYYY-MM-DD`. */
function firstDayOf(bucket: ReportBucket, number: number): string {
  const firstMoment = {
    DAY: () => number * DAY,
    WEEK: () => (number * 7 - MONDAY) * DAY,
    MONTH: () => firstOfMonth(Math.floor(number / 12), number % 12),
    YEAR: () => firstOfMonth(number, 0),
  }[bucket]();
  return new Date(firstMoment).toISOString().slice(0, 10);
}

/** Years before 100 are no short forms of later ones. */
const firstOfMonth = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1);
