import { MIN_CARD_CENTS } from "#schema/money.ts";
import { moneyFigures } from "#api/billing/revenue/money-figures.ts";
import type { Context } from "#api/platform/context.ts";
import { isOutage } from "#api/platform/errors.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { balanceSql } from "#api/billing/invoices/invoice-status.ts";

/** A difference between two records of the same amount, in AUD cents, or a number of rows where there must be none. */
export interface BookDifference {
  readonly name: string;
  readonly journal: number;
  readonly records: number;
}

const balance = (account: string) => `(select coalesce(sum(cents) filter (where debit = '${account}'), 0)
  - coalesce(sum(cents) filter (where credit = '${account}'), 0) from journal_entries)`;
/** Returns SQL for the sum of entries of a document or payment. */
const entriesOf = (id: string, where: string) =>
  `(select coalesce(sum(e.cents) filter (where ${where}), 0) from journal_entries e where e.source_id = ${id})`;
/**
 * SQL: what the charge of invoice `i` includes of earlier ones, in cents. The provider adds an amount that is too small for a
 * card to the next charge.
 */
export const carriedSql = `(select coalesce(sum(c.total_cents), 0)::int from tax_invoices c
  where c.user_id = i.user_id and c.issued_at < i.issued_at and c.provider_invoice_id is not null and c.total_cents < ${MIN_CARD_CENTS}
    and not exists (select from payment_attempts p join tax_invoices b on b.provider_invoice_id = p.provider_invoice_id
      where p.reason is null and b.user_id = i.user_id and b.issued_at >= c.issued_at and b.issued_at < i.issued_at))`;
/** The day after the last document. Figures until then contain all documents. */
const next = "(select coalesce(max(booked_on), date '2000-01-01') + 1 from service_periods)";
const sumFigure = (name: keyof typeof moneyFigures) =>
  `(select coalesce(sum(amount_cents), 0) from (${moneyFigures[name]("date '0001-01-02'", next)}) e)`;

/** SQL for both sides of each comparison, which must be the same. */
const comparisons: readonly (readonly [name: string, journal: string, records: string])[] = [
  [
    "accounts receivable and open invoices",
    balance("receivable"),
    `(select sum(${balanceSql}) from manual_invoices m)`,
  ],
  [
    "customer credit and what customers paid ahead",
    `-${balance("credit")}`,
    "(select sum(amount_cents - goodwill_cents) from credit_entries)",
  ],
  [
    "deferred entries and service periods",
    `-${balance("deferred")}`,
    "(select sum(to_cents - from_cents) from service_periods)",
  ],
  [
    "invoiced, and earned or deferred amounts",
    `${sumFigure("revenue")} + ${sumFigure("deferred")}`,
    sumFigure("invoiced"),
  ],
];

/** SQL for rows of which there must be none. */
const faults: readonly (readonly [name: string, rows: string])[] = [
  [
    "documents whose entries differ from their amount or GST",
    `tax_invoices i where i.gst_cents <> ${entriesOf("i.id", "e.credit = 'gst'")}
      or i.total_cents - i.gst_cents <> ${entriesOf("i.id", "e.credit = 'deferred'")}`,
  ],
  [
    "payments whose entries differ from what they paid",
    `received_payments p where p.amount_cents <> ${entriesOf("p.id", "e.debit in ('card', 'bank')")}
      or p.applied_cents <> ${entriesOf("p.id", "e.credit = 'receivable'")} or p.credit_cents <> ${entriesOf("p.id", "e.credit = 'credit'")}`,
  ],
  [
    "invoices by hand whose entries differ from what is left to pay",
    `manual_invoices m where ${balanceSql} <> (select coalesce(sum(
        case 'receivable' when e.debit then e.cents when e.credit then -e.cents end), 0) from journal_entries e where e.invoice_id = m.id)`,
  ],
  [
    "documents whose service periods differ from their amount",
    `tax_invoices i where i.total_cents - i.gst_cents <>
      (select coalesce(sum(to_cents - from_cents), 0) from service_periods where document_id = i.id)`,
  ],
  [
    "documents whose lines, discount and GST differ from their total",
    `tax_invoices i where i.total_cents <> i.amount_cents - i.discount_cents + i.gst_cents or i.amount_cents <>
      (select coalesce(sum((line->>'amountCents')::int), 0) from jsonb_array_elements(i.lines) line)`,
  ],
  [
    "invoices by hand whose payments or credit differ from what is paid",
    `manual_invoices m where m.paid_cents <>
        (select coalesce(sum(applied_cents), 0) from received_payments where invoice_id = m.id)
      or m.credit_cents + m.goodwill_cents <>
        (select coalesce(-sum(amount_cents), 0) from credit_entries where invoice_id = m.id and kind = 'applied')`,
  ],
  [
    "invoices by hand whose status or amounts differ from their document and balance",
    `manual_invoices m left join tax_invoices i on i.id = m.tax_invoice_id
      where m.status <> case when i.id is null then 'draft' when m.void_note_id is not null then 'void'
          when m.total_cents > m.credit_cents + m.paid_cents then 'open' else 'paid' end
        or (i.amount_cents, i.gst_cents, i.total_cents) <> (m.amount_cents, m.gst_cents, m.total_cents)`,
  ],
  [
    "refunds whose adjustment note differs from their amount",
    `refunds r left join tax_invoices n on n.id = r.adjustment_note_id
      where r.status = 'DONE' and n.total_cents is distinct from -r.amount_cents`,
  ],
  [
    "invoices that defer less than nothing",
    `(select from (${moneyFigures.deferred("null", next)}) e join tax_invoices i on i.id = e.id
      group by coalesce(i.adjusts_id, i.id) having sum(e.amount_cents) < 0) negative`,
  ],
  [
    "charges of the payment provider without an entry of their amount",
    `payment_attempts a where a.reason is null and a.subscription_id is not null and a.refunded_cents < a.amount_cents
      and not exists (select from tax_invoices i where i.provider_invoice_id = a.provider_invoice_id
        and a.amount_cents = ${entriesOf("i.id", "e.event = 'Card payment'")} + ${carriedSql})`,
  ],
];

/**
 * SQL: compares the journal, the documents, what was paid, earned and deferred, and the provider's charges
 * (docs/domain.md#journal). Returns a row for each comparison that differs.
 */
export const findBookDifferencesSql = `select c.name, c.journal, c.records from (values ${[
  ...comparisons,
  ...faults.map(([name, rows]) => [name, "0", `(select count(*) from ${rows})`] as const),
]
  .map(([name, journal, records]) => `('${name}', coalesce(${journal}, 0)::float8, coalesce(${records}, 0)::float8)`)
  .join(", ")}) c(name, journal, records) where c.journal <> c.records`;

/** Describes differences in one sentence, for the log and for `doctor`. */
export const describeDifferences = (differences: readonly BookDifference[]): string =>
  `The books differ: ${differences.map(({ name, journal, records }) => `${name} (${journal} and ${records})`).join("; ")}.`;

/** The error of a sweep that found differences. */
export class BooksDiffer extends Error {
  override readonly name = "BooksDiffer";
}

/**
 * Runs a daily comparison. Without the database or the payment provider, only logs it: a failed sweep would raise the alert that
 * the books differ, and the next comparison covers the same days.
 */
export async function compareUnlessAway({ log }: Pick<Context, "log">, compare: () => Promise<void>): Promise<number> {
  try {
    await compare();
  } catch (error) {
    if (!isOutage(error)) throw error;
    log.warn({ err: error }, "the books weren't compared, because the database or the payment provider is away");
  }
  return 0;
}

/** Checks every day that the books agree with each other. A failed sweep raises an alert. */
export const checkBooks: Sweep = {
  name: "check-books",
  everySeconds: 86_400,
  run: (context) =>
    compareUnlessAway(context, async () => {
      const { rows } = await context.pool.query<BookDifference>(findBookDifferencesSql);
      if (rows.length > 0) throw new BooksDiffer(describeDifferences(rows));
    }),
};
