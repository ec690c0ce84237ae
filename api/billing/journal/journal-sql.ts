import type { JournalAccount } from "#schema/accounting.ts";
import { isPaidByCardSql } from "#api/billing/tax/tax-entries.ts";
import { moneyFigures, toDay } from "#api/billing/revenue/money-figures.ts";

interface Event {
  /** Name of the event in the file. */
  readonly name: string;
  /** SQL: table and joins, with the document as `i`. */
  readonly from: string;
  /** SQL: condition of the rows. */
  readonly where?: string;
  /** SQL: the row of the event. Default: the document. */
  readonly id?: string;
  /** SQL: the time of the event. */
  readonly at: string;
  /** SQL: cents for each account. Debits are positive, and the accounts of an event add up to 0. */
  readonly accounts: Readonly<Partial<Record<JournalAccount, string>>>;
}

const byHand =
  "join manual_invoices m on m.id = p.invoice_id join tax_invoices i on i.id = coalesce(p.tax_invoice_id, m.tax_invoice_id)";
const net = "i.total_cents - i.gst_cents";

/** Everything that moves money or a claim on it. Earning revenue is apart, because it happens every day. */
const events: readonly Event[] = [
  {
    name: "Document",
    from: "tax_invoices i",
    at: "i.issued_at",
    accounts: { receivable: "i.total_cents", deferred: `-(${net})`, gst: "-i.gst_cents" },
  },
  {
    name: "Card payment",
    from: "tax_invoices i",
    where: `i.kind = 'invoice' and i.paid_at is not null and ${isPaidByCardSql}`,
    at: "i.paid_at",
    accounts: { card: "i.total_cents", receivable: "-i.total_cents" },
  },
  {
    name: "Payment",
    from: `received_payments p ${byHand}`,
    id: "p.id",
    at: "p.received_at",
    accounts: {
      card: "case when p.method = 'card' then p.amount_cents else 0 end",
      bank: "case when p.method = 'card' then 0 else p.amount_cents end",
      receivable: "-p.applied_cents",
      credit: "-p.credit_cents",
    },
  },
  {
    name: "Refund",
    from: "tax_invoices i",
    where: "i.kind = 'adjustment' and i.paid_at is not null",
    at: "i.paid_at",
    accounts: {
      receivable: "-i.total_cents",
      card: "case when i.provider_refund_id is null then 0 else i.total_cents end",
      bank: "case when i.provider_refund_id is null then i.total_cents else 0 end",
    },
  },
  {
    name: "Credit used",
    from: `credit_entries p ${byHand}`,
    id: "p.id",
    where: "p.kind = 'applied'",
    at: "p.created_at",
    accounts: {
      credit: "p.goodwill_cents - p.amount_cents",
      // Goodwill on an invoice from before goodwill reduced prices.
      goodwill: "-p.goodwill_cents - m.goodwill_cents",
      receivable: "p.amount_cents + m.goodwill_cents",
    },
  },
  {
    name: "Credit returned",
    from: `credit_entries p ${byHand}`,
    id: "p.id",
    where: "p.kind = 'returned'",
    at: "p.created_at",
    accounts: {
      credit: "p.goodwill_cents - p.amount_cents",
      goodwill: "m.goodwill_cents - p.goodwill_cents",
      receivable: "p.amount_cents - m.goodwill_cents",
    },
  },
];

/** Credit that staff recorded as paid belongs to no document. */
const addedCredit = `select p.id, ${toDay("p.created_at")} as day, 'Payment' as event, '' as number, p.user_id,
    u.first_name || ' ' || u.last_name as customer, p.reason as description, a.account, a.cents
  from credit_entries p join users u on u.id = p.user_id
  cross join lateral (values ('bank', p.amount_cents - p.goodwill_cents), ('credit', p.goodwill_cents - p.amount_cents)) a(account, cents)
 where p.kind = 'added'`;

const selectEvent = ({ name, from, where = "true", id = "i.id", at, accounts }: Event) => {
  const postings = Object.entries(accounts).map(([account, cents]) => `('${account}', (${cents})::int)`);
  return `select ${id} as id, ${toDay(at)} as day, '${name}' as event, i.number, i.user_id, i.buyer->>'name' as customer, i.description,
      a.account, a.cents
    from ${from} cross join lateral (values ${postings.join(", ")}) a(account, cents) where ${where}`;
};

/** SQL: the postings of all events except earning revenue. The postings of an event add up to 0; debits are positive. */
export const eventPostingsSql = [...events.map(selectEvent), addedCredit].join(" union all ");

/** SQL: debits and credits of the entries. Debits are positive. */
export const postingsSql = `select e.source_id as id, e.day, e.event, coalesce(i.number, '') as number, e.user_id,
    coalesce(i.buyer->>'name', u.first_name || ' ' || u.last_name) as customer, coalesce(i.description, c.reason) as description,
    a.account, sum(a.cents)::int as cents
  from journal_entries e cross join lateral (values (e.debit, e.cents), (e.credit, -e.cents)) a(account, cents)
  left join tax_invoices i on i.id = e.document_id
  left join credit_entries c on e.document_id is null and c.id = e.source_id
  left join users u on u.id = c.user_id
 group by e.source_id, e.day, e.event, e.user_id, i.id, c.id, u.id, a.account`;

/**
 * Returns SQL for the double entries of a period (docs/domain.md#journal): rows with `id`, `day`, `event`, `number`, `customer`,
 * `description`, `account` and `cents`. What each document earned is one entry a month, on the month's last day.
 * @param months pairs of SQL dates: the first day of a month and the day after the last one
 */
export function selectJournal(months: readonly (readonly [first: string, next: string])[]): string {
  const earned = months.map(
    ([
      first,
      next,
    ]) => `select e.id, ${next} - 1 as day, 'Revenue' as event, e.number, e.user_id, e.customer, e.description,
        a.account, a.cents
      from (${moneyFigures.revenue(first, next)}) e
      cross join lateral (values ('deferred', e.amount_cents), ('revenue', -e.amount_cents)) a(account, cents)`,
  );
  const [from, until] = [months[0]?.[0] ?? "date '0001-01-01'", months.at(-1)?.[1] ?? "date '0001-01-01'"];
  const moved = `select * from (${eventPostingsSql}) p where p.day >= ${from} and p.day < ${until}`;
  return `select * from (${[moved, ...earned].join(" union all ")}) j where j.cents <> 0`;
}
