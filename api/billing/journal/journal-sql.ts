import { addDays } from "#schema/days.ts";
import { customerSql, moneyFigures } from "#api/billing/revenue/money-figures.ts";
import type { MoneyPeriod } from "#api/billing/revenue/read-money.ts";

/** SQL condition: the entry `j` is money received or returned. */
export const isCashSql = "j.account in ('card', 'bank')";

/** SQL: debits and credits of the entries. Debits are positive. */
export const postingsSql = `select e.source_id as id, e.day, e.event, coalesce(i.number, '') as number, e.user_id,
    ${customerSql} as customer, coalesce(i.description, c.reason) as description,
    a.account, sum(a.cents)::int as cents
  from journal_entries e cross join lateral (values (e.debit, e.cents), (e.credit, -e.cents)) a(account, cents)
  left join tax_invoices i on i.id = e.document_id
  left join credit_entries c on e.document_id is null and c.id = e.source_id
  left join users u on u.id = c.user_id
 group by e.source_id, e.day, e.event, e.user_id, i.id, c.id, u.id, a.account`;

/**
 * Returns SQL for the double entries of a period (docs/domain.md#journal): rows with `id`, `day`, `event`, `number`, `customer`,
 * `description`, `account` and `cents`. What each document earned is one entry a month, on the month's last day.
 * @param months the months of the period, in order
 */
export function selectJournal(months: readonly MoneyPeriod[]): string {
  const selectEarned = (first: string, next: string) =>
    `select e.id, ${next} - 1 as day, 'Revenue' as event, e.number, e.user_id, e.customer, e.description, a.account, a.cents
      from (${moneyFigures.revenue(first, next)}) e
      cross join lateral (values ('deferred', e.amount_cents), ('revenue', -e.amount_cents)) a(account, cents)`;
  const spans = months.map(
    ({ startDate, endDate }) => [`date '${startDate}'`, `date '${addDays(endDate, 1)}'`] as const,
  );
  const earned = spans.map((span) => selectEarned(...span));
  const [from, until] = [spans[0]?.[0] ?? "date '0001-01-01'", spans.at(-1)?.[1] ?? "date '0001-01-01'"];
  const moved = `select * from (${postingsSql}) p where p.day >= ${from} and p.day < ${until}`;
  return `select * from (${[moved, ...earned].join(" union all ")}) j where j.cents <> 0`;
}
