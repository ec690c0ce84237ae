import type { SubscriptionFilterValues } from "#schema/staff-money.ts";
import {
  BillingSubscriptionStatus,
  buildSubscriptionConditions,
  isPastDueRowSql,
  periodEndSql,
  statusSql,
  subscriptionSource,
} from "#api/billing/subscriptions/list-subscriptions.ts";
import type { Context } from "#api/platform/context.ts";
import { formatPlanPrice } from "#api/billing/plans/find-plan-price.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import { createDateColumn, type Report, type ReportColumn, toLabelSql, toSqlLiteral } from "./report.ts";

const statusLabels: Readonly<Record<BillingSubscriptionStatus, string>> = {
  [BillingSubscriptionStatus.ACTIVE]: "Active",
  [BillingSubscriptionStatus.CANCELLING]: "Cancelling",
  [BillingSubscriptionStatus.PAUSED]: "Paused",
  [BillingSubscriptionStatus.PAST_DUE]: "Past due",
  [BillingSubscriptionStatus.ENDED]: "Ended",
};

const text = (title: string, sql: string, width: number): ReportColumn => ({ title, kind: "text", sql, width });

/** Builds the file of the subscriptions that match a filter, in the order of the list. Amounts include GST. */
export async function buildSubscriptionListReport(context: Context, filter: SubscriptionFilterValues): Promise<Report> {
  const prices = await context.em.find(PlanPrice, {}, { populate: ["plan"] });
  const now = `${toSqlLiteral(context.clock.now())}::timestamptz`;
  const isPastDue = isPastDueRowSql(now);
  return {
    fileName: "Subscriptions",
    sheetName: "Subscriptions",
    columns: [
      text("Customer", "u.first_name || ' ' || u.last_name", 28),
      text("Company", "u.company_name", 28),
      text("Email", "u.email", 32),
      text(
        "Plan",
        toLabelSql(
          "s.plan_price",
          prices.map((price) => [price.id, formatPlanPrice(price)]),
        ),
        24,
      ),
      { ...text("Status", toLabelSql(statusSql(now), Object.entries(statusLabels)), 12), isTrusted: true },
      {
        title: "Amount (AUD)",
        kind: "money",
        sql: "(s.amount_cents + round(s.amount_cents * s.gst_basis_points / 10000.0))::int",
      },
      createDateColumn("Renewal", periodEndSql),
      { title: "Past due (AUD)", kind: "money", sql: `case when ${isPastDue} then attempt.amount_cents end` },
      text("Reason", `case when ${isPastDue} then attempt.reason end`, 28),
      createDateColumn("Next retry", `case when ${isPastDue} then attempt.next_retry_at end`),
    ],
    from: `from ${subscriptionSource} where ${buildSubscriptionConditions(filter, now, toLiteral)}
           order by s.status = 'cancelled', ${periodEndSql}, s.id`,
  };
}

/** Returns SQL for a value of a filter, because COPY can't have parameters. */
const toLiteral = (value: string | readonly string[]): string =>
  typeof value === "string" ? toSqlLiteral(value) : `array[${value.map((one) => toSqlLiteral(one)).join(", ")}]`;
