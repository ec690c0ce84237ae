import { getCalendarDay } from "#schema/days.ts";
import type { TaxBasis, TaxFigureName } from "#schema/tax.ts";
import type { Context } from "#api/platform/context.ts";
import { buildCountedPage, type RowRange } from "#api/platform/graphql/page.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import { searchedEntryText, selectTaxEntries, selectTaxFigures, taxFigures } from "./tax-entries.ts";
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
  const { rows } = await pool.query<Omit<TaxFigure, "code" | "label">>({
    name: `tax-summary-${period.basis}`,
    text: selectTaxFigures(`${selectTaxEntries(period.basis)} where ${inPeriod}`),
    values: [...toDays(period)],
  });
  return rows;
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
  const values = [...days, toSearchPattern(search)];
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
