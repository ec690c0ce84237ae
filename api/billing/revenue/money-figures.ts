import { brand } from "#schema/brand.ts";
import type { MoneyFigureName } from "#schema/money-report.ts";

/**
 * Returns SQL that selects the rows of a figure, with the amount that the figure adds up.
 * @param first SQL expression of the first day
 * @param next SQL expression of the day after the last one
 */
type FigureSql = (first: string, next: string) => string;

/** Returns SQL for the calendar day of a time in the vendor's time zone. */
export const toDay = (sql: string) => `(${sql} at time zone '${brand.timeZone}')::date`;

/** Returns SQL for the start of a calendar day in the vendor's time zone. */
const toStart = (day: string) => `((${day})::timestamp at time zone '${brand.timeZone}')`;

const isWithin = (at: string, first: string, next: string) => `${at} >= ${toStart(first)} and ${at} < ${toStart(next)}`;

/** SQL: the buyer on document `i`, or without a document the company or name of user `u`, as documents have it. */
export const customerSql = "coalesce(i.buyer->>'name', nullif(u.company_name, ''), u.first_name || ' ' || u.last_name)";

const buyer = "i.user_id, i.buyer->>'name' as customer";
/**
 * Returns SQL that selects entries of the journal by document or payment, with the sum of each. Credit that a customer paid
 * ahead has no document.
 */
const selectEntries =
  (where: string): FigureSql =>
  (first, next) =>
    `select e.source_id as id, e.at, coalesce(i.number, '') as number, case e.event when 'Payment' then 'payment' else i.kind end as kind,
      e.user_id, ${customerSql} as customer, coalesce(i.description, c.reason) as description,
      coalesce(i.total_cents, c.amount_cents) as total_cents, coalesce(i.gst_cents, 0) as gst_cents, sum(e.cents)::int as amount_cents
    from journal_entries e left join tax_invoices i on i.id = e.document_id
    left join credit_entries c on e.document_id is null and c.id = e.source_id left join users u on u.id = c.user_id
   where ${where} and e.day >= ${first} and e.day < ${next} group by e.source_id, e.event, e.at, e.user_id, i.id, c.id, u.id`;

/** Returns SQL for the number of paused days of period `p` before a day, as `moveServicePeriods` counts them. */
const pausedDays = (day: string) => `(select coalesce(sum(greatest(
    least(${toDay("coalesce(z.ended_at, z.until)")}, ${day}) - greatest(${toDay("z.paused_at")} + 1, p.first_day), 0)), 0)
  from subscription_pauses z where z.subscription_id = p.subscription_id)`;

/** Returns SQL for the number of days of service period `p` before a day, without paused ones. */
export const earnedDaysSql = (day: string) => `least(greatest(${day} - p.first_day - ${pausedDays(day)}, 0), p.days)`;

/**
 * Returns SQL for the cents of service period `p` earned before a day (docs/domain.md#revenue). Differences of two days add
 * up exactly, because each is rounded from the start.
 */
export function earnedBeforeSql(day: string): string {
  return `(case when p.booked_on >= ${day} then 0
    when p.first_day is null or p.ended_on < ${day} or p.last_day < ${day} then p.to_cents - p.from_cents
    else (select round(p.to_cents::numeric * d.earned / p.days) - round(p.from_cents::numeric * d.earned / p.days)
            from (select ${earnedDaysSql(day)} as earned) d)::int end)`;
}

/** Returns SQL that selects the documents whose service periods `p` have an amount, with the sum of it. */
const selectPeriods = (amount: string, where: string) => `select i.id, i.issued_at as at, i.number, i.kind, ${buyer},
    i.description, i.total_cents, i.gst_cents, e.amount_cents
  from (select p.document_id, sum(${amount})::int as amount_cents from service_periods p where ${where} group by 1) e
  join tax_invoices i on i.id = e.document_id where e.amount_cents <> 0`;

const selectAttempts = (
  where: string,
) => `select a.id, a.at, coalesce(i.number, '') as number, 'payment' as kind, a.user_id,
    ${customerSql} as customer,
    coalesce(a.reason, 'Paid at attempt ' || a.number) as description,
    a.amount_cents as total_cents, coalesce(i.gst_cents, 0) as gst_cents, a.amount_cents
  from payment_attempts a join users u on u.id = a.user_id
  left join tax_invoices i on i.provider_invoice_id = a.provider_invoice_id where a.subscription_id is not null and ${where}`;

/** Rows of each figure. The report and the lists of rows both use them, so they agree. */
export const moneyFigures: Readonly<Record<MoneyFigureName, FigureSql>> = {
  invoiced: selectEntries("e.credit = 'deferred'"),
  // A period that was earned completely before the first day has no amount in the report's period.
  revenue: (first, next) =>
    selectPeriods(
      `${earnedBeforeSql(next)} - ${earnedBeforeSql(first)}`,
      `p.booked_on < ${next} and (p.booked_on >= ${first} or least(p.ended_on, p.last_day) >= ${first})`,
    ),
  deferred: (_first, next) =>
    selectPeriods(
      `p.to_cents - p.from_cents - ${earnedBeforeSql(next)}`,
      `p.booked_on < ${next} and least(p.ended_on, p.last_day) >= ${next}`,
    ),
  collected: selectEntries("e.debit in ('card', 'bank') and e.event <> 'Refund'"),
  refunded: selectEntries("e.event = 'Refund'"),
  failed: (first, next) => selectAttempts(`a.number = 1 and a.reason is not null and ${isWithin("a.at", first, next)}`),
  recovered: (first, next) => selectAttempts(`a.number > 1 and a.reason is null and ${isWithin("a.at", first, next)}`),
};
