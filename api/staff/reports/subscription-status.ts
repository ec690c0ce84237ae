import { isActiveSql, isPastDueSql } from "#api/selling/subscriptions/subscription-states.ts";
import type { ReportColumn } from "./report.ts";

/** Returns the column with the state of the subscription `s` at the moment `now`; empty without a subscription. */
export function subscriptionStatusColumn(now: string): ReportColumn {
  return {
    title: "Subscription Status",
    kind: "text",
    sql: `case when ${isPastDueSql(now)} then 'Payment overdue'
               when ${isActiveSql(now)} and s.is_cancelled_at_period_end then 'Ends with its period'
               when ${isActiveSql(now)} then 'Active'
               when s.status = 'cancelled' then 'Cancelled' end`,
    isOurs: true,
    width: 20,
  };
}
