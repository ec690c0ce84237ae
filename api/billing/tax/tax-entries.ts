import { type TaxBasis, type TaxFigureName, taxFigureNames } from "#schema/tax.ts";

const buyerColumns = "i.user_id, i.buyer->>'name' as customer, i.description";

/**
 * Returns SQL for the entries of a basis as table `e`: documents by their date of issue, or what was paid for them and
 * refunded by its date (docs/domain.md#gst-summary). Money that became credit again belongs to the note that voids the
 * invoice. Has no parameters, so that reports can use it. On a cash basis, sums only read two indexes: PostgreSQL leaves
 * out the join of the documents unless their columns are selected.
 */
export function selectTaxEntries(basis: TaxBasis): string {
  return basis === "accrual"
    ? `(select e.day, e.at, i.id, i.number, i.kind, i.gst_basis_points = 0 as is_gst_free, sum(e.cents)::int as total_cents,
          coalesce(sum(e.cents) filter (where e.credit = 'gst'), 0)::int as gst_cents, ${buyerColumns}
        from journal_entries e join tax_invoices i on i.id = e.document_id where e.debit = 'receivable' group by e.day, e.at, i.id) e`
    : `(select e.day, e.at, e.source_id as id, coalesce((
            select n.number from tax_invoices n where e.event = 'Credit returned' and n.adjusts_id = e.document_id), i.number) as number,
          case when e.event in ('Refund', 'Credit returned') then 'adjustment' else 'invoice' end as kind, f.id is not null as is_gst_free,
          e.cents as total_cents, e.gst_cents, ${buyerColumns}
        from journal_entries e left join tax_invoices i on i.id = e.document_id
        left join tax_invoices f on f.id = e.document_id and f.gst_basis_points = 0
       where e.credit = 'receivable' and e.debit <> 'goodwill') e`;
}

/** SQL that calculates a figure from the entries `e`. */
interface TaxFigureSql {
  /** SQL: condition of the counted entries. */
  readonly where: string;
  /** SQL: cents that are added up. */
  readonly amount: string;
}

const isSale = "e.kind = 'invoice'";
const isAdjustment = "e.kind = 'adjustment'";

/** Conditions and amounts of the figures. The summary and the lists of rows both use them, so they agree. */
export const taxFigures: Readonly<Record<TaxFigureName, TaxFigureSql>> = {
  "total-sales": { where: isSale, amount: "e.total_cents" },
  "gst-free": { where: `${isSale} and e.is_gst_free and e.total_cents <> 0`, amount: "e.total_cents" },
  "gst-on-sales": { where: `${isSale} and e.gst_cents <> 0`, amount: "e.gst_cents" },
  adjustments: { where: isAdjustment, amount: "e.total_cents" },
  // A credit from the tax office, so positive.
  "gst-on-adjustments": { where: `${isAdjustment} and e.gst_cents <> 0`, amount: "-e.gst_cents" },
  "net-gst": { where: "e.gst_cents <> 0", amount: "e.gst_cents" },
};

const columnOf = (name: TaxFigureName) => `"${name}"`;
const wholeDollars = (name: TaxFigureName) => `trunc(${columnOf(name)} / 100)`;

/** SQL: figures in whole dollars. The statement leaves out cents and doesn't round, and it has no field for adjustments. */
const dollars: Readonly<Partial<Record<TaxFigureName, string>>> = {
  adjustments: "null",
  "net-gst": `${wholeDollars("gst-on-sales")} - ${wholeDollars("gst-on-adjustments")}`,
};

/**
 * Returns SQL for the figures: a row for each, in order, with `name`, `cents`, `dollars` and `count`.
 * @param entries SQL: the entries of {@link selectTaxEntries}, and a condition
 */
export function selectTaxFigures(entries: string): string {
  const sums = taxFigureNames.map((name) => {
    const { where, amount } = taxFigures[name];
    const sum = (of: string) => `coalesce(sum(${of}) filter (where ${where}), 0)::float8`;
    return `${sum(`${amount} * e.times`)} as ${columnOf(name)}, ${sum("e.times")} as "${name} count"`;
  });
  const rows = taxFigureNames.map(
    (name, place) =>
      `(${place}, '${name}', ${columnOf(name)}, (${dollars[name] ?? wholeDollars(name)})::float8, "${name} count")`,
  );
  // Prices repeat, and so many sums over groups take a third of the time of sums over entries.
  return `select f.name, f.cents, f.dollars, f.count::int from (select ${sums.join(", ")} from (
      select e.kind, e.is_gst_free, e.total_cents, e.gst_cents, count(*) as times from ${entries} group by 1, 2, 3, 4) e) sums
    cross join lateral (values ${rows.join(", ")}) f(place, name, cents, dollars, count) order by f.place`;
}

/** SQL: text of an entry that the search looks in. */
export const searchedEntryText = "e.number || ' ' || e.customer || ' ' || e.description";
