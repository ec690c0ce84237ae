import { memberTypes } from "#schema/user.ts";
import { ResultCode, resultCodes } from "#schema/result-code.ts";
import { licenceEventKinds } from "#schema/licence-history.ts";
import { toLabelSql, toListLabelSql, createLabelColumn, type ReportColumn } from "./report.ts";
import { isActiveSql, isPastDueSql } from "#api/billing/subscriptions/subscription.entity.ts";

/** SQL expression: the user's email, or null for deleted accounts, whose email is only a placeholder. */
export const userEmailSql = "case when u.deleted_at is null then u.email end";

/** SQL expression: the account status of the user `u`. */
export const accountStatusSql =
  "case when u.deleted_at is not null then 'Deleted' when u.archived_at is not null then 'Archived' when u.id is not null then 'Active' end";

/** Columns of the user `u`. Every report that isn't about users ends with these columns. */
export const ownerColumns: readonly ReportColumn[] = [
  { title: "First Name", kind: "text", sql: "u.first_name" },
  { title: "Last Name", kind: "text", sql: "u.last_name" },
  { title: "Company", kind: "text", sql: "u.company_name", width: 28 },
  { title: "Email", kind: "text", sql: userEmailSql, width: 32 },
  { title: "Phone", kind: "text", sql: "u.mobile" },
  createLabelColumn("User type", memberTypes, "u.member_type", 12),
  { title: "Account", kind: "text", sql: accountStatusSql, isTrusted: true, width: 12 },
];

/** Column that describes the request of the licence event `e`. */
export const requestColumn: ReportColumn = createLabelColumn("Event", licenceEventKinds, "e.kind", 32);

/** Columns of the result of event `e`: code, name and message. */
export const resultColumns: readonly ReportColumn[] = [
  { title: "Result code", kind: "number", sql: "e.result_code", width: 12 },
  {
    title: "Result",
    kind: "text",
    sql: toLabelSql(
      "e.result_code",
      resultCodes.map(({ value, code }) => [value, code]),
    ),
    isTrusted: true,
    width: 28,
  },
  {
    title: "Answer",
    kind: "text",
    sql: `case when e.result_code = ${ResultCode.VALID}
      then ${toLabelSql(
        "e.kind",
        licenceEventKinds.map(({ value, done }) => [value, done]),
      )}
      else ${toListLabelSql(resultCodes, "e.result_code")} end`,
    isTrusted: true,
    width: 60,
  },
];

/** Columns of the machine that sent event `e`. */
export const machineColumns: readonly ReportColumn[] = [
  { title: "Machine name", kind: "text", sql: "e.machine_name", width: 30 },
  { title: "Windows user", kind: "text", sql: "e.os_user", width: 24 },
];

/** Columns of the versions and the IP address of event `e`. */
export const versionColumns: readonly ReportColumn[] = [
  { title: "Add-in version", kind: "text", sql: "e.add_in_version" },
  { title: "Host version", kind: "text", sql: "e.host_version" },
  { title: "IP address", kind: "text", sql: "e.ip", roles: ["support"] },
];

/**
 * Returns SQL that formats a price ID as `Professional, yearly`, like `formatPlanPrice`, or returns the ID if the catalogue
 * no longer contains it.
 */
function formatPlanNameSql(priceId: string): string {
  return `coalesce((select p.name || ', ' || pp.interval from plan_prices pp join plans p on p.slug = pp.plan_slug
    where pp.id = ${priceId}), ${priceId})`;
}

/** Returns a column with the plan name of a price ID. */
export function createPlanColumn(title: string, priceId: string): ReportColumn {
  return { title, kind: "text", sql: formatPlanNameSql(priceId), isTrusted: true, width: 24 };
}

/** Returns a column with the status of the subscription `s` at `now`. Empty without a subscription. */
export function createSubscriptionStatusColumn(now: string): ReportColumn {
  return {
    title: "Subscription status",
    kind: "text",
    sql: `case when ${isPastDueSql(now)} then 'Payment overdue'
               when ${isActiveSql(now)} and s.is_cancelled_at_period_end then 'Cancels at period end'
               when ${isActiveSql(now)} then 'Active'
               when s.status = 'cancelled' then 'Cancelled' end`,
    isTrusted: true,
    width: 20,
  };
}
