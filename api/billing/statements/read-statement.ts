import { postingsSql } from "#api/billing/journal/journal-sql.ts";
import type { MoneyPeriod } from "#api/billing/revenue/read-money.ts";
import type { Context } from "#api/platform/context.ts";

/** An entry of a statement, in AUD cents. */
export interface StatementRow {
  /** `YYYY-MM-DD` in the vendor's time zone. */
  readonly day: string;
  readonly event: string;
  readonly number: string;
  readonly description: string;
  /** Positive if the customer owes more. */
  readonly cents: number;
  /** What the customer owes afterwards. */
  readonly balanceCents: number;
}

/** What a customer owed, was charged and paid in a period. A negative balance is money that they paid ahead. */
export interface Statement extends MoneyPeriod {
  readonly openingCents: number;
  readonly closingCents: number;
  readonly rows: readonly StatementRow[];
}

/**
 * Returns a customer's statement from the journal (docs/domain.md#statements): documents, payments, refunds and money that
 * was paid ahead. Goodwill isn't an entry, because it reduces the price of an invoice.
 */
export async function readStatement(
  { pool }: Pick<Context, "pool">,
  userId: string,
  { startDate, endDate }: MoneyPeriod,
): Promise<Statement> {
  const { rows } = await pool.query<Omit<StatementRow, "balanceCents"> & { isBefore: boolean }>(
    `with entries as (
        select p.id, p.day, p.event, p.number, p.description, sum(p.cents)::float8 as cents
          from (${postingsSql}) p
         where p.user_id = $1 and p.account in ('receivable', 'credit') and p.day <= $3::date
         group by 1, 2, 3, 4, 5 having sum(p.cents) <> 0)
      select * from (select true as "isBefore", '' as day, '' as event, '' as number, '' as description, '' as id,
             coalesce(sum(cents), 0)::float8 as cents from entries where day < $2::date
      union all
      select false, day::text, event, number, description, id::text, cents from entries where day >= $2::date) rows
      order by "isBefore" desc, day, event = 'Document' desc, number, id`,
    [userId, startDate, endDate],
  );
  const openingCents = rows[0]?.cents ?? 0;
  let balanceCents = openingCents;
  const entries = rows.slice(1).map(({ day, event, number, description, cents }) => {
    balanceCents += cents;
    const document = cents > 0 ? "Tax invoice" : "Adjustment note";
    const names: Record<string, string> = { Document: document, "Card payment": "Payment by card" };
    return { day, number, description, cents, balanceCents, event: names[event] ?? event };
  });
  return { startDate, endDate, openingCents, closingCents: balanceCents, rows: entries };
}
