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
const toDay = (sql: string) => `(${sql} at time zone '${brand.timeZone}')::date`;

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

const periodStart = toDay("i.period_start");
const periodDays = `(${toDay("i.period_end")} - ${periodStart})`;

/**
 * Returns SQL for the cents of document `i` earned before a day. A document is earned evenly over the days of its
 * period. Days before it was issued count on the day of issue, and so does a document without a period. Differences of
 * two days add up exactly, because each is rounded from the start (docs/domain.md#revenue).
 */
export function earnedBeforeSql(day: string): string {
  return `(case when ${toDay("i.issued_at")} >= ${day} then 0
    when i.period_start is null or i.period_end is null or ${periodDays} <= 0 then ${netCents}
    else round(${netCents}::numeric * least(greatest(${day} - ${periodStart}, 0), ${periodDays}) / ${periodDays})::int end)`;
}

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
  // A document that was earned completely before the first day has no amount in the period.
  revenue: (first, next) =>
    selectDocuments(
      `${earnedBeforeSql(next)} - ${earnedBeforeSql(first)}`,
      `i.issued_at < ${toStart(next)} and (i.issued_at >= ${toStart(first)} or i.period_end > ${toStart(first)})
       and ${earnedBeforeSql(next)} <> ${earnedBeforeSql(first)}`,
    ),
  deferred: (_first, next) =>
    selectDocuments(
      `${netCents} - ${earnedBeforeSql(next)}`,
      `i.issued_at < ${toStart(next)} and i.period_end > ${toStart(next)} and ${earnedBeforeSql(next)} <> ${netCents}`,
    ),
  collected: (first, next) => `${selectPaid("invoice", `${isWithin("i.paid_at", first, next)} and ${isPaidByCardSql}`)}
    union all
    select p.id, p.received_at, i.number, 'payment', ${buyer}, i.description, i.total_cents, i.gst_cents, p.amount_cents
      from received_payments p join manual_invoices m on m.id = p.invoice_id join tax_invoices i on i.id = m.tax_invoice_id
     where ${isWithin("p.received_at", first, next)}`,
  refunded: (first, next) => selectPaid("adjustment", isWithin("i.paid_at", first, next)),
  failed: (first, next) => selectAttempts(`a.number = 1 and a.reason is not null and ${isWithin("a.at", first, next)}`),
  recovered: (first, next) => selectAttempts(`a.number > 1 and a.reason is null and ${isWithin("a.at", first, next)}`),
};
