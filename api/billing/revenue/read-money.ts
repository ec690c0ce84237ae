import { addDays, getCalendarDay, getLastDayOfMonth } from "#schema/days.ts";
import { type MoneyFigureName, moneyFigureNames } from "#schema/money-report.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntryRange, listEntries } from "#api/billing/tax/read-tax.ts";
import type { TaxEntryPage } from "#api/billing/tax/tax.resolver.ts";
import { moneyFigures } from "./money-figures.ts";

/** Days of a report, `YYYY-MM-DD` in the vendor's time zone, both included. */
export interface MoneyPeriod {
  readonly startDate: string;
  readonly endDate: string;
}

/** A month, or a part of one. */
interface MoneySpan extends MoneyPeriod {
  /** Whether the days are after today, so that the figures are what issued documents will earn. */
  readonly isForecast: boolean;
}

/** The figures of one month, or of the part of it that the period contains, in AUD cents. */
export type MoneyMonth = MoneySpan & Readonly<Record<MoneyFigureName, number>>;

/**
 * Returns the months of a period. The first and last may be shortened, and the current month ends today: the rest of it and
 * later months are a forecast.
 */
export function listMonths({ startDate, endDate }: MoneyPeriod, { clock }: Pick<Context, "clock">): MoneySpan[] {
  const today = getCalendarDay(clock.now());
  const months: MoneySpan[] = [];
  // No day follows the last possible one, 31 December 9999.
  for (let first = startDate, end = ""; first > end && first <= endDate; first = addDays(end, 1)) {
    const ends = [getLastDayOfMonth(first), endDate, ...(first <= today ? [today] : [])].toSorted();
    end = ends[0] ?? endDate;
    months.push({ startDate: first, endDate: end, isForecast: first > today });
  }
  return months;
}

/** Returns a period without the days after today, because sums never contain a forecast. A later period is one. */
export function withoutForecast<Period extends MoneyPeriod>(period: Period, { clock }: Pick<Context, "clock">): Period {
  const today = getCalendarDay(clock.now());
  return period.startDate <= today && period.endDate > today ? { ...period, endDate: today } : period;
}

/** Returns SQL for the sums of all figures by month: rows with `first`, `next` and a column for each figure. */
export function selectMonths(first: string, next: string): string {
  const columns = moneyFigureNames.map(
    (name) =>
      `(select coalesce(sum(e.amount_cents), 0)::float8 from (${moneyFigures[name]("span.first", "span.next")}) e) as ${name}`,
  );
  return `select span.first, span.next, ${columns.join(", ")} from unnest(${first}, ${next}) span(first, next) order by span.first`;
}

/**
 * Returns the figures of each month. The rows of {@link listMoneyEntries} add up to each of them. For every month,
 * deferred at its end = deferred at its start + invoiced − revenue.
 */
export async function readMoneyMonths(
  context: Pick<Context, "pool" | "clock">,
  period: MoneyPeriod,
): Promise<MoneyMonth[]> {
  const { pool } = context;
  const months = listMonths(period, context);
  const { rows } = await pool.query<Record<MoneyFigureName, number>>(selectMonths("$1::date[]", "$2::date[]"), [
    months.map(({ startDate }) => startDate),
    months.map(({ endDate }) => addDays(endDate, 1)),
  ]);
  return months.map((month, index) => ({ ...month, ...(rows[index] as Record<MoneyFigureName, number>) }));
}

/** Returns the rows that add up to a figure until today, or the rows of a forecast for a later period. */
export async function listMoneyEntries(
  context: Pick<Context, "pool" | "clock">,
  request: MoneyPeriod & EntryRange & { figure: MoneyFigureName },
): Promise<TaxEntryPage> {
  const { startDate, endDate, figure } = withoutForecast(request, context);
  const from = `(${moneyFigures[figure]("$1::date", "$2::date")}) e where $1::date < $2::date`;
  return listEntries(context, from, "e.amount_cents", [startDate, addDays(endDate, 1)], request);
}
