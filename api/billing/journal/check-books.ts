import { moneyFigures } from "#api/billing/revenue/money-figures.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { eventPostingsSql, postingsSql } from "./journal-sql.ts";

/** A difference between two records of the same amount, in AUD cents, or a number of rows where there must be none. */
export interface BookDifference {
  readonly name: string;
  readonly journal: number;
  readonly records: number;
}

const balance = (account: string) => `(select sum(cents) from balances where account = '${account}')`;
const count = (rows: string) => `(select count(*) from ${rows})`;
/** The day after the last document. Figures until then contain all documents. */
const next = "(select coalesce(max(booked_on), date '2000-01-01') + 1 from service_periods)";
const sumFigure = (name: keyof typeof moneyFigures) =>
  `(select coalesce(sum(amount_cents), 0) from (${moneyFigures[name]("date '0001-01-02'", next)}) e)`;

/** SQL for both sides of each comparison, which must be the same. */
const comparisons: readonly (readonly [name: string, journal: string, records: string])[] = [
  ["all accounts", "(select sum(cents) from balances)", "0"],
  [
    "entries of the journal, and documents, payments and credit without them",
    count("(select * from recorded except all select * from events) wrong"),
    count("(select * from events except all select * from recorded) missing"),
  ],
  [
    "accounts receivable and open invoices",
    balance("receivable"),
    "(select sum(total_cents - credit_cents - paid_cents) from manual_invoices where status = 'open')",
  ],
  [
    "customer credit and what customers paid ahead",
    `-${balance("credit")}`,
    "(select sum(amount_cents - goodwill_cents) from credit_entries)",
  ],
  [
    "invoiced amounts and service periods",
    `-${balance("deferred")}`,
    "(select sum(to_cents - from_cents) from service_periods)",
  ],
  [
    "invoiced, and earned or deferred amounts",
    `${sumFigure("revenue")} + ${sumFigure("deferred")}`,
    sumFigure("invoiced"),
  ],
  [
    "documents whose service periods differ from their amount",
    "0",
    count(`tax_invoices i where i.total_cents - i.gst_cents <>
      (select coalesce(sum(to_cents - from_cents), 0) from service_periods where document_id = i.id)`),
  ],
  [
    "documents whose lines, discount and GST differ from their total",
    "0",
    count(`tax_invoices i where i.total_cents <> i.amount_cents - i.discount_cents + i.gst_cents or i.amount_cents <>
      (select coalesce(sum((line->>'amountCents')::int), 0) from jsonb_array_elements(i.lines) line)`),
  ],
  [
    "invoices by hand whose payments or credit differ from what is paid",
    "0",
    count(`manual_invoices m where m.paid_cents <>
        (select coalesce(sum(applied_cents), 0) from received_payments where invoice_id = m.id)
      or m.credit_cents + m.goodwill_cents <>
        (select coalesce(-sum(amount_cents), 0) from credit_entries where invoice_id = m.id and kind = 'applied')`),
  ],
  [
    "invoices that defer less than nothing",
    "0",
    count(`(select from (${moneyFigures.deferred("null", next)}) e join tax_invoices i on i.id = e.id
      group by coalesce(i.adjusts_id, i.id) having sum(e.amount_cents) < 0) negative`),
  ],
  [
    "charges of the payment provider without a tax invoice",
    "0",
    count(`payment_attempts a where a.reason is null and a.subscription_id is not null and a.refunded_cents < a.amount_cents
      and not exists (select from tax_invoices i where i.provider_invoice_id = a.provider_invoice_id)`),
  ],
];

/**
 * SQL: compares the journal, the documents, what was paid, earned and deferred, and the provider's charges
 * (docs/domain.md#journal). Returns a row for each comparison that differs.
 */
export const findBookDifferencesSql = `with balances as (select account, sum(cents) as cents from (${eventPostingsSql}) p group by account)
, events as (select * from (${eventPostingsSql}) p where cents <> 0), recorded as (select * from (${postingsSql}) p where cents <> 0)
  select c.name, c.journal, c.records from (values ${comparisons
    .map(([name, journal, records]) => `('${name}', coalesce(${journal}, 0)::float8, coalesce(${records}, 0)::float8)`)
    .join(", ")}) c(name, journal, records) where c.journal <> c.records`;

/** Describes differences in one sentence, for the log and for `doctor`. */
export const describeDifferences = (differences: readonly BookDifference[]): string =>
  `The books differ: ${differences.map(({ name, journal, records }) => `${name} (${journal} and ${records})`).join("; ")}.`;

/** Checks every day that the books agree with each other. A failed sweep raises an alert. */
export const checkBooks: Sweep = {
  name: "check-books",
  everySeconds: 86_400,
  async run({ pool }) {
    const { rows } = await pool.query<BookDifference>(findBookDifferencesSql);
    if (rows.length > 0) throw new Error(describeDifferences(rows));
    return 0;
  },
};
