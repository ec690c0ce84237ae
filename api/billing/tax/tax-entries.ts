import type { TaxBasis, TaxFigureName } from "#schema/tax.ts";

const buyerColumns = "i.user_id, i.buyer->>'name' as customer, i.description, i.gst_basis_points";

/**
 * Returns SQL for the entries of a basis as table `e`: documents by their date of issue, or what was paid for them and
 * refunded by its date (docs/domain.md#gst-summary). Money that became credit again belongs to the note that voids the
 * invoice. Has no parameters, so that reports can use it.
 */
export function selectTaxEntries(basis: TaxBasis): string {
  return basis === "accrual"
    ? `(select e.day, e.at, i.id, i.number, i.kind, sum(e.cents)::int as total_cents,
          coalesce(sum(e.cents) filter (where e.credit = 'gst'), 0)::int as gst_cents, ${buyerColumns}
        from journal_entries e join tax_invoices i on i.id = e.document_id where e.debit = 'receivable' group by e.day, e.at, i.id) e`
    : `(select e.day, e.at, e.source_id as id, coalesce(n.number, i.number) as number, coalesce(n.kind, i.kind) as kind,
          e.cents as total_cents, e.gst_cents, ${buyerColumns}
        from journal_entries e join tax_invoices i on i.id = e.document_id
        left join tax_invoices n on e.event = 'Credit returned' and n.adjusts_id = i.id
       where e.credit = 'receivable' and e.debit <> 'goodwill') e`;
}

/** SQL that calculates a figure from the entries `e`. */
export interface TaxFigureSql {
  /** SQL: condition of the counted entries. */
  readonly where: string;
  /** SQL: cents that are added up. */
  readonly amount: string;
  /** SQL: the aggregate in whole dollars, without cents, as the statement wants it; null if it has no such field. */
  readonly dollars: string;
}

/** Returns SQL for a sum in whole dollars. The statement leaves out cents and doesn't round. */
const toDollars = (amount: string, where = "true") =>
  `trunc(coalesce(sum(${amount}) filter (where ${where}), 0) / 100.0)::float8`;

const isSale = "e.kind = 'invoice'";
const isAdjustment = "e.kind = 'adjustment'";

function figure(where: string, amount: string): TaxFigureSql {
  return { where, amount, dollars: toDollars(amount, where) };
}

/** Conditions and amounts of the figures. The summary and the lists of rows both use them, so they agree. */
export const taxFigures: Readonly<Record<TaxFigureName, TaxFigureSql>> = {
  "total-sales": figure(isSale, "e.total_cents"),
  "gst-free": figure(`${isSale} and e.gst_basis_points = 0 and e.total_cents <> 0`, "e.total_cents"),
  "gst-on-sales": figure(`${isSale} and e.gst_cents <> 0`, "e.gst_cents"),
  adjustments: { ...figure(isAdjustment, "e.total_cents"), dollars: "null::float8" },
  // A credit from the tax office, so positive.
  "gst-on-adjustments": figure(`${isAdjustment} and e.gst_cents <> 0`, "-e.gst_cents"),
  "net-gst": {
    ...figure("e.gst_cents <> 0", "e.gst_cents"),
    dollars: `(${toDollars("e.gst_cents", isSale)} - ${toDollars("-e.gst_cents", isAdjustment)})`,
  },
};

/** SQL: text of an entry that the search looks in. */
export const searchedEntryText = "e.number || ' ' || e.customer || ' ' || e.description";

/** Returns a regular expression for PostgreSQL that matches the start of a word, or null without a search. */
export function toWordStart(search: string | null | undefined): string | null {
  return search ? `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}` : null;
}
