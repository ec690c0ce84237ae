import { memberTypes } from "#schema/user.ts";
import { createDateColumn, createLabelColumn, type ReportColumn, type ReportSource, toYesOrNoSql } from "./report.ts";
import { userEmailSql, createPlanColumn, accountStatusSql, createSubscriptionStatusColumn } from "./shared-columns.ts";
import { isCountedSql } from "#api/licensing/devices/deactivation-allowance.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";

const flagColumn = (title: string, sql: string): ReportColumn => ({
  title,
  kind: "text",
  sql: toYesOrNoSql(sql),
  isTrusted: true,
  width: 12,
});

/** Users who registered in the range, including archived and deleted ones. */
export const usersReport: ReportSource = {
  fileName: "Users",
  sheetName: "Users",
  table: "users u",
  at: "u.registered_at",
  id: "u.id",
  // Excludes registrations with an email address that already had an account.
  where: "(u.sign_in_email is not null or u.deleted_at is not null)",
  joins: `left join subscriptions s on s.user_id = u.id and ${isRunningSql}`,
  columns: (now) => [
    createDateColumn("Date joined", "u.registered_at"),
    { title: "First Name", kind: "text", sql: "u.first_name" },
    { title: "Last Name", kind: "text", sql: "u.last_name" },
    { title: "Company", kind: "text", sql: "u.company_name", width: 28 },
    { title: "Position", kind: "text", sql: `u."position"`, width: 24 },
    { title: "Email", kind: "text", sql: userEmailSql, width: 32 },
    flagColumn("Email confirmed", "u.email_confirmed_at is not null"),
    { title: "Phone", kind: "text", sql: "u.mobile" },
    createLabelColumn("User type", memberTypes, "u.member_type", 12),
    { title: "Account", kind: "text", sql: accountStatusSql, isTrusted: true, width: 12 },
    createDateColumn("Archived", "u.archived_at"),
    flagColumn("Tester", "u.is_tester"),
    flagColumn("Service provider", "u.is_service_provider"),
    { title: "ABN", kind: "text", sql: "u.abn" },
    { title: "Unit number", kind: "text", sql: "u.unit_number", width: 12 },
    { title: "Street number", kind: "text", sql: "u.street_number", width: 12 },
    { title: "Street name", kind: "text", sql: "u.street_name", width: 24 },
    { title: "City", kind: "text", sql: "u.city" },
    { title: "State", kind: "text", sql: "u.state" },
    { title: "Post Code", kind: "text", sql: "u.post_code", width: 12 },
    { title: "Country", kind: "text", sql: "u.country" },
    { title: "Referrer", kind: "text", sql: "u.referrer", width: 24 },
    flagColumn("Issued W-8 form", "u.issued_w8_form"),
    flagColumn("Completed security information", "u.completed_security_information"),
    flagColumn("Completed software QA", "u.completed_software_qa"),
    flagColumn("Subscribed to newsletter", "u.is_subscribed_to_newsletter"),
    flagColumn("Completed trial", "u.has_completed_trial"),
    flagColumn("Two-step sign-in", "u.two_step_since is not null"),
    createPlanColumn("Subscription", "s.plan_price"),
    createSubscriptionStatusColumn(now),
    {
      title: "Running licences",
      kind: "number",
      sql: `(select count(*) from licences l where l.user_id = u.id and ${isActiveLicenceSql(now)})`,
    },
    { title: "Annual deactivation limit", kind: "number", sql: "u.annual_deactivation_limit" },
    {
      title: "Deactivations counted",
      kind: "number",
      sql: `(select count(*) from deactivations d where ${isCountedSql(now)})`,
    },
    { title: "User ID", kind: "text", sql: "u.id::text", isTrusted: true, width: 38 },
  ],
};
