import type { TaxBasis, TaxFigureName } from "#schema/tax.ts";

/** One document, or one payment of it, as the GST summary counts it. */
export interface TaxEntry {
  readonly id: string;
  readonly at: Date;
  /** Number of the tax invoice or adjustment note. */
  readonly number: string;
  readonly kind: "invoice" | "adjustment";
  readonly userId: string;
  readonly customer: string;
  readonly description: string;
  /** Including GST; negative for adjustment notes. */
  readonly totalCents: number;
  readonly gstCents: number;
  /** Amount that the figure adds up. */
  readonly amountCents: number;
}

// The last line of a buyer's address is the country (api/selling/invoices/parties.ts).
const isInAustralia = "lower(i.buyer->'address'->>-1) = 'australia'";

const documentColumns = `i.id, i.number, i.kind, i.user_id, i.buyer->>'name' as customer, i.description,
  i.total_cents, i.gst_cents, (i.gst_basis_points = 0 and not ${isInAustralia}) as is_export, i.gst_basis_points`;

/**
 * Returns SQL for the entries of a basis as table `e`: documents by their date of issue, or by the date of their payment
 * or refund (docs/domain.md#gst-summary). Has no parameters, so that reports can use it.
 */
export function selectTaxEntries(basis: TaxBasis): string {
  const at = basis === "accrual" ? "i.issued_at" : "i.paid_at";
  return `(select ${at} as at, ${documentColumns} from tax_invoices i where ${at} is not null) e`;
}

/** SQL that calculates a figure from the entries `e`. */
export interface TaxFigureSql {
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
  exports: { where: `${isSale} and e.is_export and e.total_cents <> 0`, amount: "e.total_cents" },
  "gst-free": {
    where: `${isSale} and e.gst_basis_points = 0 and not e.is_export and e.total_cents <> 0`,
    amount: "e.total_cents",
  },
  "gst-on-sales": { where: `${isSale} and e.gst_cents <> 0`, amount: "e.gst_cents" },
  adjustments: { where: isAdjustment, amount: "e.total_cents" },
  "gst-on-adjustments": { where: `${isAdjustment} and e.gst_cents <> 0`, amount: "e.gst_cents" },
  "net-gst": { where: "e.gst_cents <> 0", amount: "e.gst_cents" },
};

/** SQL: text of an entry that the search looks in. */
export const searchedEntryText = "e.number || ' ' || e.customer || ' ' || e.description";

/** Returns a regular expression for PostgreSQL that matches the start of a word, or null without a search. */
export function toWordStart(search: string | null | undefined): string | null {
  return search ? `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}` : null;
}
