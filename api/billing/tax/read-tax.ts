import { type TaxBasis, type TaxFigureName, taxFigureNames } from "#schema/tax.ts";
import type { Context } from "#api/platform/context.ts";
import { buildCountedPage, type PageOf } from "#api/platform/graphql/page.ts";
import {
  searchedEntryText,
  selectTaxEntries,
  type TaxEntry,
  taxFigures,
  toTaxEntry,
  toWordStart,
} from "./tax-entries.ts";

/** A period in the vendor's time zone, both ends included, and the basis of its figures. */
export interface TaxPeriod {
  readonly basis: TaxBasis;
  readonly startDate: Date;
  /** Last millisecond of the period. */
  readonly endDate: Date;
}

/** The sum of a figure's rows. */
export interface TaxFigureSum {
  readonly name: TaxFigureName;
  readonly cents: number;
  /** The figure as the statement wants it; null if the statement has no such field. */
  readonly dollars: number | null;
  readonly count: number;
}

// A period ends with its last millisecond, and the database stores microseconds.
const inPeriod = "e.at >= $1::timestamptz and e.at < $2::timestamptz + interval '1 millisecond'";

/** Returns the figures of the GST summary. The rows of {@link listTaxEntries} add up to each of them. */
export async function readTaxSummary({ pool }: Pick<Context, "pool">, period: TaxPeriod): Promise<TaxFigureSum[]> {
  const columns = taxFigureNames.map((name, index) => {
    const { where, amount, dollars } = taxFigures[name];
    return `${dollars} as d${index}, count(*) filter (where ${where})::int as n${index},
      coalesce(sum(${amount}) filter (where ${where}), 0)::float8 as c${index}`;
  });
  const { rows } = await pool.query<Record<string, number>>({
    name: `tax-summary-${period.basis}`,
    text: `select ${columns.join(", ")} from ${selectTaxEntries(period.basis)} where ${inPeriod}`,
    values: [period.startDate, period.endDate],
  });
  return taxFigureNames.map((name, index) => ({
    name,
    cents: rows[0]?.[`c${index}`] ?? 0,
    dollars: rows[0]?.[`d${index}`] ?? null,
    count: rows[0]?.[`n${index}`] ?? 0,
  }));
}

/** A page of a figure's rows, newest first, with the number and sum of all rows that match. */
export interface TaxEntryList extends PageOf<TaxEntry> {
  readonly sumCents: number;
}

/** Returns the rows that add up to a figure, newest first. `search` matches the beginnings of words. */
export async function listTaxEntries(
  { pool }: Pick<Context, "pool">,
  request: TaxPeriod & {
    figure: TaxFigureName;
    search?: string | null | undefined;
    offset: number;
    limit: number;
  },
): Promise<TaxEntryList> {
  const { basis, startDate, endDate, figure, search, offset, limit } = request;
  const { where, amount } = taxFigures[figure];
  const from = `${selectTaxEntries(basis)} where ${inPeriod} and ${where}
    and ($3::text is null or ${searchedEntryText} ~* $3)`;
  const values = [startDate, endDate, toWordStart(search)];
  const [page, sums] = await Promise.all([
    pool.query<TaxEntry>(
      `select e.id, e.at, e.number, e.kind, e.user_id as "userId", e.customer, e.description,
              e.total_cents as "totalCents", e.gst_cents as "gstCents", ${amount} as "amountCents"
         from ${from} order by e.at desc, e.number desc, e.id desc offset $4::int limit $5::int`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number; sum: number }>(
      `select count(*)::int as total, coalesce(sum(${amount}), 0)::float8 as sum from ${from}`,
      values,
    ),
  ]);
  const { total = 0, sum = 0 } = sums.rows[0] ?? {};
  return { ...buildCountedPage(page.rows.map(toTaxEntry), { offset, total }), sumCents: sum };
}
