import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { eventPostingsSql } from "./journal-sql.ts";

/** A difference between two records of the same amount, in AUD cents. */
export interface BookDifference {
  readonly name: string;
  readonly journal: number;
  readonly records: number;
}

/**
 * SQL: compares the journal with the records it is written from (docs/domain.md#journal). Returns a row for each comparison with
 * different amounts.
 */
export const findBookDifferencesSql = `with balances as (
    select account, sum(cents)::float8 as cents from (${eventPostingsSql}) p group by account
  )
  select c.name, c.journal, c.records from (
    select 'all accounts' as name, (select coalesce(sum(cents), 0) from balances)::float8 as journal, 0::float8 as records
    union all
    select 'accounts receivable and open invoices', coalesce((select cents from balances where account = 'receivable'), 0),
           (select coalesce(sum(total_cents - credit_cents - paid_cents), 0) from manual_invoices where status = 'open')::float8
    union all
    select 'customer credit and what customers paid ahead', coalesce((select -cents from balances where account = 'credit'), 0),
           (select coalesce(sum(amount_cents - goodwill_cents), 0) from credit_entries)::float8
    union all
    select 'invoiced amounts and service periods', coalesce((select -cents from balances where account = 'deferred'), 0),
           (select coalesce(sum(to_cents - from_cents), 0) from service_periods)::float8
    union all
    select 'documents whose service periods differ from their amount', 0::float8, (
      select count(*) from tax_invoices i left join lateral (
        select coalesce(sum(to_cents - from_cents), 0) as cents from service_periods where document_id = i.id) p on true
       where p.cents <> i.total_cents - i.gst_cents)::float8
  ) c where c.journal <> c.records`;

/** Describes differences in one sentence, for the log and for `doctor`. */
export const describeDifferences = (differences: readonly BookDifference[]): string =>
  `The journal differs: ${differences.map(({ name, journal, records }) => `${name} (${journal} and ${records} cents)`).join("; ")}.`;

/** Checks every day that the journal agrees with its records. A failed sweep raises an alert. */
export const checkBooks: Sweep = {
  name: "check-books",
  everySeconds: 86_400,
  async run({ pool }) {
    const { rows } = await pool.query<BookDifference>(findBookDifferencesSql);
    if (rows.length > 0) throw new Error(describeDifferences(rows));
    return 0;
  },
};
