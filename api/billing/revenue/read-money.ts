import { addDays } from "#schema/days.ts";
import { type MoneyFigureName, moneyFigureNames } from "#schema/money-report.ts";
import type { Context } from "#api/platform/context.ts";
import { searchedEntryText, type TaxEntry, toTaxEntry, toWordStart } from "#api/billing/tax/tax-entries.ts";
import type { TaxEntryList } from "#api/billing/tax/read-tax.ts";
import { moneyFigures } from "./money-figures.ts";

/** Days of a report, `YYYY-MM-DD` in the vendor's time zone, both included. */
export interface MoneyPeriod {
  readonly startDate: string;
  readonly endDate: string;
}

/** The figures of one month, or of the part of it that the period contains, in AUD cents. */
export type MoneyMonth = { readonly startDate: string; readonly endDate: string } & Readonly<
  Record<MoneyFigureName, number>
>;

/** Returns the months of a period. The first and last may be shortened. */
export function listMonths({ startDate, endDate }: MoneyPeriod): MoneyPeriod[] {
  const months: MoneyPeriod[] = [];
  for (let first = startDate; first <= endDate; ) {
    const [year = 0, month = 1] = first.split("-").map(Number);
    const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
    const last = addDays(next, -1);
    months.push({ startDate: first, endDate: last < endDate ? last : endDate });
    first = next;
  }
  return months;
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
export async function readMoneyMonths({ pool }: Pick<Context, "pool">, period: MoneyPeriod): Promise<MoneyMonth[]> {
  const months = listMonths(period);
  const { rows } = await pool.query<Record<MoneyFigureName, number>>(selectMonths("$1::date[]", "$2::date[]"), [
    months.map(({ startDate }) => startDate),
    months.map(({ endDate }) => addDays(endDate, 1)),
  ]);
  return months.map((month, index) => ({ ...month, ...(rows[index] as Record<MoneyFigureName, number>) }));
}

/** Returns the rows that add up to a figure, newest first. `search` matches the beginnings of words. */
export async function listMoneyEntries(
  { pool }: Pick<Context, "pool">,
  request: MoneyPeriod & {
    figure: MoneyFigureName;
    search?: string | null | undefined;
    offset: number;
    limit: number;
  },
): Promise<TaxEntryList> {
  const { startDate, endDate, figure, search, offset, limit } = request;
  const from = `(${moneyFigures[figure]("$1::date", "$2::date")}) e where ($1::date < $2::date)
    and ($3::text is null or ${searchedEntryText} ~* $3)`;
  const values = [startDate, addDays(endDate, 1), toWordStart(search)];
  const [page, sums] = await Promise.all([
    pool.query<TaxEntry>(
      `select e.id, e.at, e.number, e.kind, e.user_id as "userId", e.customer, e.description,
              e.total_cents as "totalCents", e.gst_cents as "gstCents", e.amount_cents as "amountCents"
         from ${from} order by e.at desc, e.number desc, e.id desc offset $4::int limit $5::int`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number; sum: number }>(
      `select count(*)::int as total, coalesce(sum(e.amount_cents), 0)::float8 as sum from ${from}`,
      values,
    ),
  ]);
  return { rows: page.rows.map(toTaxEntry), total: sums.rows[0]?.total ?? 0, sumCents: sums.rows[0]?.sum ?? 0 };
}
