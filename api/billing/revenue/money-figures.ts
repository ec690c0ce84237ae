import { brand } from "#schema/brand.ts";
import type { MoneyFigureName } from "#schema/money-report.ts";
import { isPaidByCardSql } from "#api/billing/tax/tax-entries.ts";

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

const buyer = "i.user_id, i.buyer->>'name' as customer";
const netCents = "(i.total_cents - i.gst_cents)";

const selectDocuments = (
  amount: string,
  where: string,
) => `select i.id, i.issued_at as at, i.number, i.kind, ${buyer}, i.description,
    i.total_cents, i.gst_cents, ${amount} as amount_cents from tax_invoices i where ${where}`;

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
    coalesce(i.buyer->>'name', nullif(u.company_name, ''), u.first_name || ' ' || u.last_name) as customer,
    coalesce(a.reason, 'Paid at attempt ' || a.number) as description,
    a.amount_cents as total_cents, coalesce(i.gst_cents, 0) as gst_cents, a.amount_cents
  from payment_attempts a join users u on u.id = a.user_id
  left join tax_invoices i on i.provider_invoice_id = a.provider_invoice_id where a.subscription_id is not null and ${where}`;

const selectPaid = (
  kind: string,
  where: string,
) => `select i.id, i.paid_at as at, i.number, i.kind, ${buyer}, i.description,
    i.total_cents, i.gst_cents, i.total_cents as amount_cents from tax_invoices i where i.kind = '${kind}' and ${where}`;

/** Rows of each figure. The report and the lists of rows both use them, so they agree. */
export const moneyFigures: Readonly<Record<MoneyFigureName, FigureSql>> = {
  invoiced: (first, next) => selectDocuments(netCents, isWithin("i.issued_at", first, next)),
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
  collected: (first, next) => `${selectPaid("invoice", `${isWithin("i.paid_at", first, next)} and ${isPaidByCardSql}`)}
    union all
    select p.id, p.received_at, i.number, 'payment', ${buyer}, i.description, i.total_cents, i.gst_cents, p.amount_cents
      from received_payments p join manual_invoices m on m.id = p.invoice_id join tax_invoices i on i.id = coalesce(p.tax_invoice_id, m.tax_invoice_id)
     where ${isWithin("p.received_at", first, next)}`,
  refunded: (first, next) => selectPaid("adjustment", isWithin("i.paid_at", first, next)),
  failed: (first, next) => selectAttempts(`a.number = 1 and a.reason is not null and ${isWithin("a.at", first, next)}`),
  recovered: (first, next) => selectAttempts(`a.number > 1 and a.reason is null and ${isWithin("a.at", first, next)}`),
};
