import type { EntryKind, TaxBasis, TaxFigureName } from "#schema/tax.ts";

/** One document, or one payment of it, as the GST summary counts it. */
export interface TaxEntry {
  readonly id: string;
  readonly at: Date;
  /** Number of the tax invoice or adjustment note. */
  readonly number: string;
  readonly kind: EntryKind;
  readonly userId: string;
  readonly customer: string;
  readonly description: string;
  /** Including GST; negative for adjustment notes. */
  readonly totalCents: number;
  readonly gstCents: number;
  /** Amount that the figure adds up. */
  readonly amountCents: number;
}

/** Converts the time of a row, which the pool returns as text. */
export const toTaxEntry = (row: TaxEntry): TaxEntry => ({ ...row, at: new Date(row.at) });

const buyerColumns = "i.user_id, i.buyer->>'name' as customer, i.description, i.gst_basis_points";
const documentColumns = `i.id, i.number, i.kind, i.total_cents, i.gst_cents, ${buyerColumns}`;

/** SQL condition: `i` isn't an invoice by hand, whose payments are separate rows. */
export const isPaidByCardSql = "not exists (select from manual_invoices m where m.tax_invoice_id = i.id)";

/**
 * SQL: the money that an invoice by hand received, in the order in which it was recorded: the credit applied when it was
 * issued, without goodwill, and each payment.
 */
const receivedAmounts = `select m.tax_invoice_id, p.id, p.received_at as at, p.applied_cents as cents, p.recorded_at as recorded_at, 1 as place
    from received_payments p join manual_invoices m on m.id = p.invoice_id where p.applied_cents > 0
  union all
  select m.tax_invoice_id, c.id, m.opened_at, c.goodwill_cents - c.amount_cents, m.opened_at, 0
    from credit_entries c join manual_invoices m on m.id = c.invoice_id
   where c.kind = 'applied' and c.amount_cents < c.goodwill_cents`;

/**
 * SQL: the parts of invoices by hand that were paid. Each part has the GST of all parts up to it less the GST of the ones
 * before it, so that the parts of a paid invoice add up to its GST.
 */
const paidParts = `select p.at, p.id, i.number, 'invoice' as kind, p.cents as total_cents,
    (round(i.gst_cents::numeric * p.upto / i.total_cents) - round(i.gst_cents::numeric * (p.upto - p.cents) / i.total_cents))::int as gst_cents,
    ${buyerColumns}
  from (select r.*, sum(r.cents) over (partition by r.tax_invoice_id order by r.place, r.recorded_at, r.id) as upto
          from (${receivedAmounts}) r) p
  join tax_invoices i on i.id = p.tax_invoice_id where i.total_cents > 0`;

/** SQL: the paid parts that became credit again because the invoice was voided. */
const returnedParts = `select m.voided_at as at, n.id, n.number, n.kind, c.goodwill_cents - c.amount_cents as total_cents,
    (-round(i.gst_cents::numeric * (c.amount_cents - c.goodwill_cents) / i.total_cents))::int as gst_cents, ${buyerColumns}
  from credit_entries c join manual_invoices m on m.id = c.invoice_id join tax_invoices i on i.id = m.tax_invoice_id join tax_invoices n on n.id = m.void_note_id
  where c.kind = 'returned' and c.amount_cents > c.goodwill_cents and i.total_cents > 0`;

/**
 * Returns SQL for the entries of a basis as table `e`: documents by their date of issue, or what was paid for them and
 * refunded by its date (docs/domain.md#gst-summary). Has no parameters, so that reports can use it.
 */
export function selectTaxEntries(basis: TaxBasis): string {
  if (basis === "accrual") return `(select i.issued_at as at, ${documentColumns} from tax_invoices i) e`;
  const byCard = `select i.paid_at as at, ${documentColumns} from tax_invoices i
    where i.paid_at is not null and ${isPaidByCardSql}`;
  const select = (rows: string) => `select at, id, number, kind, total_cents, gst_cents, user_id, customer, description,
    gst_basis_points from (${rows}) part`;
  return `(${[byCard, paidParts, returnedParts].map(select).join(" union all ")}) e`;
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
