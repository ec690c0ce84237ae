import { documentKinds, type InvoiceFilterValues, invoiceStatuses } from "#schema/manual-invoice.ts";
import { buildInvoiceRows } from "#api/billing/invoices/list-invoices.ts";
import {
  createDateColumn,
  createLabelColumn,
  createMoneyColumn as money,
  createTextColumn as text,
  type Report,
  toLabelSql,
  toListLabelSql,
  toParameterSql,
  toSqlLiteral,
} from "./report.ts";
import { type SubscriptionFilterValues, subscriptionStatuses } from "#schema/staff-money.ts";
import {
  buildSubscriptionConditions,
  isPastDueRowSql,
  periodEndSql,
  statusSql,
  subscriptionSource,
} from "#api/billing/subscriptions/list-subscriptions.ts";
import type { Context } from "#api/platform/context.ts";
import { formatPlanPrice, PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { userEmailSql } from "./shared-columns.ts";

/** Builds the file of the drafts, tax invoices and adjustment notes that match a filter, newest first. */
export function buildInvoiceListReport(filter: InvoiceFilterValues, now: Date): Report {
  return {
    fileName: "Invoices",
    sheetName: "Invoices",
    columns: [
      { ...text("Number", "r.number", 12), isTrusted: true },
      createLabelColumn("Status", invoiceStatuses, "r.status", 10),
      createLabelColumn("Document", documentKinds, "r.kind"),
      createDateColumn("Date", "r.issued_at"),
      createDateColumn("Due date", "r.due_at"),
      createDateColumn("Date paid", "r.paid_at"),
      text("Customer", "r.customer_name", 28),
      text("Company", "r.company_name", 28),
      text("Description", "r.description", 36),
      money("GST (AUD)", "r.gst_cents"),
      money("Total (AUD)", "r.total_cents"),
      money("Balance (AUD)", "r.balance_cents"),
    ],
    from: `from ${buildInvoiceRows(filter, now, toParameterSql)} order by r.issued_at desc, r.id`,
  };
}

/** Builds the file of the subscriptions that match a filter, in the order of the list. Amounts include GST. */
export async function buildSubscriptionListReport(context: Context, filter: SubscriptionFilterValues): Promise<Report> {
  const prices = await context.em.find(PlanPrice, {}, { populate: ["plan"] });
  const now = toSqlLiteral(context.clock.now());
  const isPastDue = isPastDueRowSql(now);
  const status = statusSql(now);
  const isPausedAndCancelled = `${status} = 'PAUSED' and s.is_cancelled_at_period_end`;
  return {
    fileName: "Subscriptions",
    sheetName: "Subscriptions",
    columns: [
      text("Customer", "u.first_name || ' ' || u.last_name", 28),
      text("Company", "u.company_name", 28),
      text("Email", userEmailSql, 32),
      text(
        "Plan",
        toLabelSql(
          "s.plan_price",
          prices.map((price) => [price.id, formatPlanPrice(price)]),
        ),
        24,
      ),
      {
        ...text(
          "Status",
          `${toListLabelSql(subscriptionStatuses, status)} || case when ${isPausedAndCancelled} then ', cancelled' else '' end`,
          18,
        ),
        isTrusted: true,
      },
      money("Amount (AUD)", "(s.amount_cents + round(s.amount_cents * s.gst_basis_points / 10000.0))::int"),
      createDateColumn("Renewal", periodEndSql),
      money("Past due (AUD)", `case when ${isPastDue} then attempt.amount_cents end`),
      text("Reason", `case when ${isPastDue} then attempt.reason end`, 28),
      createDateColumn("Next retry", `case when ${isPastDue} then attempt.next_retry_at end`),
    ],
    from: `from ${subscriptionSource} where ${buildSubscriptionConditions(filter, now, toParameterSql)}
           order by s.status = 'cancelled', ${periodEndSql}, s.id`,
  };
}
