import type { ReportSeries } from "./report.resolver.ts";
import { getCalendarDay, toDayNumber } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { DAY } from "#api/platform/clock.ts";
import { declareEnum } from "#api/platform/graphql/declare.ts";
import { findReportSource, type ReportRequest, selectRowsInPeriod } from "./period-report.ts";
import { withPreviewLimits } from "./report-preview.ts";
import { toVendorDaySql } from "./report.ts";

/** Maximum number of points in a series, which keeps charts readable. */
export const MAX_POINTS = 100;

export const ReportBucket = declareEnum("ReportBucket", "Length of a point in a series. Weeks start on Monday.", {
  DAY: "A day.",
  WEEK: "A week from Monday.",
  MONTH: "A calendar month.",
  YEAR: "A calendar year.",
});
export type ReportBucket = keyof typeof ReportBucket;

/**
 * Counts the rows of a report over its range, in at most {@link MAX_POINTS} points. If a range has more months than
 * that, it is shortened to the time between its first and last rows, so that an unlimited range shows only the years with data.
 * @throws AppError RATE_LIMITED, or UNAVAILABLE if the statement times out.
 */
export async function countReportSeries(context: Context, request: ReportRequest): Promise<ReportSeries> {
  const source = findReportSource(context.actor, request.reportType);
  const { rows } = await withPreviewLimits(context, ({ pool }) =>
    pool.query<{ day: number; count: number }>(
      `select ${toVendorDaySql(source.at)} - date '1970-01-01' as day, count(*)::int as count
         ${selectRowsInPeriod(source, request)} group by 1 order by 1`,
    ),
  );
  return buildSeries(
    rows,
    toDayNumber(getCalendarDay(request.startDate)),
    toDayNumber(getCalendarDay(request.endDate)),
  );
}

/**
 * Groups daily counts, in order, into points. Days are numbered from 1970-01-01.
 * @param first the first day of the range
 * @param last the last day of the range
 */
export function buildSeries(
  days: readonly { readonly day: number; readonly count: number }[],
  first: number,
  last: number,
): ReportSeries {
  const [earliest, latest] = [days.at(0)?.day, days.at(-1)?.day];
  const isTrimmed = countPoints("MONTH", first, last) > MAX_POINTS;
  if (isTrimmed && (earliest === undefined || latest === undefined)) return { bucket: ReportBucket.YEAR, points: [] };
  const [from, to] = isTrimmed ? [earliest ?? first, latest ?? last] : [first, last];
  const bucket =
    Object.values(ReportBucket).find((one) => countPoints(one, from, to) <= MAX_POINTS) ?? ReportBucket.YEAR;
  const end = toPointNumber(bucket, to);
  // Rows from before the first point shown are added to that point.
  const begin = Math.max(toPointNumber(bucket, from), end - MAX_POINTS + 1);
  const counts = Array.from({ length: end - begin + 1 }, () => 0);
  for (const { day, count } of days) {
    const at = Math.max(0, toPointNumber(bucket, day) - begin);
    counts[at] = (counts[at] ?? 0) + count;
  }
  return { bucket, points: counts.map((count, at) => ({ date: getFirstDay(bucket, begin + at), count })) };
}

/** Days from Monday to 1970-01-01, which was a Thursday. */
const DAYS_SINCE_MONDAY = 3;

const countPoints = (bucket: `${ReportBucket}`, first: number, last: number) =>
  toPointNumber(bucket, last) - toPointNumber(bucket, first) + 1;

/** Returns the number of the point that contains a day. */
function toPointNumber(bucket: `${ReportBucket}`, day: number): number {
  const date = new Date(day * DAY);
  if (bucket === "DAY") return day;
  if (bucket === "WEEK") return Math.floor((day + DAYS_SINCE_MONDAY) / 7);
  return bucket === "MONTH" ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getUTCFullYear();
}

/** Returns the first day of a point, `YYYY-MM-DD`. */
function getFirstDay(bucket: ReportBucket, number: number): string {
  const firstMoment = {
    DAY: () => number * DAY,
    WEEK: () => (number * 7 - DAYS_SINCE_MONDAY) * DAY,
    MONTH: () => startOfMonth(Math.floor(number / 12), number % 12),
    YEAR: () => startOfMonth(number, 0),
  }[bucket]();
  return new Date(firstMoment).toISOString().slice(0, 10);
}

/** Returns the first moment of a month. Unlike `Date.UTC`, doesn't read years below 100 as 19xx. */
const startOfMonth = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1);
