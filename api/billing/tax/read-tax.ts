import { getCalendarDay } from "#schema/days.ts";
import { type TaxBasis, type TaxFigureName, taxFigureNames } from "#schema/tax.ts";
import type { Context } from "#api/platform/context.ts";
import { buildCountedPage, type RowRange } from "#api/platform/graphql/page.ts";
import { searchedEntryText, selectTaxEntries, taxFigures, toWordStart } from "./tax-entries.ts";
import type { TaxEntryPage, TaxEntryType, TaxFigure } from "./tax.resolver.ts";

/** A period in the vendor's time zone, both ends included, and the basis of its figures. */
export interface TaxPeriod {
  readonly basis: TaxBasis;
  readonly startDate: Date;
  /** Last millisecond of the period. */
  readonly endDate: Date;
}

const inPeriod = "e.day between $1::date and $2::date";
const toDays = ({ startDate, endDate }: TaxPeriod) => [getCalendarDay(startDate), getCalendarDay(endDate)] as const;

/** Returns the figures of the GST summary. The rows of {@link listTaxEntries} add up to each of them. */
export async function readTaxSummary(
  { pool }: Pick<Context, "pool">,
  period: TaxPeriod,
): Promise<Omit<TaxFigure, "code" | "label">[]> {
  const columns = taxFigureNames.map((name, index) => {
    const { where, amount, dollars } = taxFigures[name];
    return `${dollars} as d${index}, count(*) filter (where ${where})::int as n${index},
      coalesce(sum(${amount}) filter (where ${where}), 0)::float8 as c${index}`;
  });
  const { rows } = await pool.query<Record<string, number>>({
    name: `tax-summary-${period.basis}`,
    text: `select ${columns.join(", ")} from ${selectTaxEntries(period.basis)} where ${inPeriod}`,
    values: [...toDays(period)],
  });
  return taxFigureNames.map((name, index) => ({
    name,
    cents: rows[0]?.[`c${index}`] ?? 0,
    dollars: rows[0]?.[`d${index}`] ?? null,
    count: rows[0]?.[`n${index}`] ?? 0,
  }));
}

/** The rows of a figure to read, newest first. `search` matches the beginnings of words. */
export interface EntryRange extends RowRange {
  readonly search?: string | null | undefined;
}

/** Returns the rows that add up to a figure. */
export async function listTaxEntries(
  context: Pick<Context, "pool">,
  request: TaxPeriod & EntryRange & { figure: TaxFigureName },
): Promise<TaxEntryPage> {
  const { where, amount } = taxFigures[request.figure];
  const from = `${selectTaxEntries(request.basis)} where ${inPeriod} and ${where}`;
  return listEntries(context, from, amount, toDays(request), request);
}

/**
 * Returns a page of entries, with the number and sum of all that match.
 * @param from SQL: the entries `e` of a period, and a condition
 * @param amount SQL of the amount that is added up
 * @param days values of `$1` and `$2`
 */
export async function listEntries(
  { pool }: Pick<Context, "pool">,
  from: string,
  amount: string,
  days: readonly [string, string],
  { search, offset, limit }: EntryRange,
): Promise<TaxEntryPage> {
  const matching = `${from} and ($3::text is null or ${searchedEntryText} ~* $3)`;
  const values = [...days, toWordStart(search)];
  const [page, sums] = await Promise.all([
    pool.query<TaxEntryType>(
      `select e.id, e.at, e.number, e.kind, e.user_id as "userId", e.customer, e.description,
              e.total_cents as "totalCents", e.gst_cents as "gstCents", ${amount} as "amountCents"
         from ${matching} order by e.at desc, e.number desc, e.id desc offset $4::int limit $5::int`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number; sum: number }>(
      `select count(*)::int as total, coalesce(sum(${amount}), 0)::float8 as sum from ${matching}`,
      values,
    ),
  ]);
  const { total = 0, sum = 0 } = sums.rows[0] ?? {};
  // The pool returns times as text.
  const rows = page.rows.map((row) => Object.assign(row, { at: new Date(row.at) }));
  return { ...buildCountedPage(rows, { offset, total }), sumCents: sum };
}
