import { addDays, getCalendarDay } from "#schema/days.ts";
import { formatDay, formatMonth, isDay } from "#schema/dates.ts";

/** Lengths of a tax period, in months. Financial years start in July. */
export const periodLengths = [
  { value: "quarter", label: "Quarter", months: 3, count: 12 },
  { value: "month", label: "Month", months: 1, count: 24 },
  { value: "year", label: "Financial year", months: 12, count: 5 },
] as const;
export type PeriodLength = (typeof periodLengths)[number]["value"];

/** Days of a period, `YYYY-MM-DD` in the vendor's time zone, both included. */
export interface TaxPeriod {
  readonly startDate: string;
  readonly endDate: string;
}

const toFirstDay = (monthNumber: number): string =>
  getCalendarDay(new Date(Date.UTC(Math.floor(monthNumber / 12), monthNumber % 12, 1)), "UTC");

/** Month of a financial year's start, counted from 0. */
const JULY = 6;

/** Returns the periods of a length up to the current one, newest first. */
export function listTaxPeriods(length: PeriodLength, now: Date): TaxPeriod[] {
  const { months, count } = periodLengths.find(({ value }) => value === length) ?? periodLengths[0];
  const [year = 0, month = 1] = getCalendarDay(now).split("-").map(Number);
  const current = year * 12 + month - 1;
  // July starts a quarter as well as a financial year.
  const first = current - ((((current - JULY) % months) + months) % months);
  return Array.from({ length: count }, (_, index) => {
    const start = first - index * months;
    return { startDate: toFirstDay(start), endDate: addDays(toFirstDay(start + months), -1) };
  });
}

/** Returns the length of a period, or null for any other number of days. */
export function findPeriodLength({ startDate, endDate }: TaxPeriod): PeriodLength | null {
  if (!startDate.endsWith("-01") || !addDays(endDate, 1).endsWith("-01")) return null;
  const toMonths = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  const months = toMonths(addDays(endDate, 1)) - toMonths(startDate);
  return periodLengths.find((one) => one.months === months)?.value ?? null;
}

/** Formats a period: `Nov 2026`, `Oct–Dec 2026` or `Jul 2026–Jun 2027`, and other days as `1 Nov 2026 to 28 Nov 2026`. */
export function formatTaxPeriod(period: TaxPeriod): string {
  const { startDate, endDate } = period;
  if (!findPeriodLength(period)) return `${formatDay(startDate)} to ${formatDay(endDate)}`;
  const [first, last] = [formatMonth(startDate), formatMonth(endDate)];
  if (first === last) return first;
  return startDate.slice(0, 4) === endDate.slice(0, 4) ? `${first.split(" ")[0]}–${last}` : `${first}–${last}`;
}

/** Reads a period from the URL (`?start=2026-10-01&end=2026-12-31`), by default the current quarter. */
export function readTaxPeriod(params: URLSearchParams, now: Date): TaxPeriod {
  const [startDate, endDate] = [params.get("start"), params.get("end")];
  if (isDay(startDate) && isDay(endDate) && startDate <= endDate) return { startDate, endDate };
  return listTaxPeriods("quarter", now)[0] as TaxPeriod;
}
