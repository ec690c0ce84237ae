import { licenceActivationTypes, licenceCategories, licenceStatusLabels, licenceTypes } from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import { isLeasedSql } from "#api/licensing/leases/lease-terms.ts";
import { licenceCodeRoles } from "#api/licensing/licences/licence.entity.ts";
import { licenceStatusSql } from "#api/licensing/licences/licence-status.ts";
import { createDateColumn, createLabelColumn, type ReportColumn, type ReportSource, toYesOrNoSql } from "./report.ts";
import { ownerColumns, createPlanColumn, createSubscriptionStatusColumn } from "./shared-columns.ts";

/** Returns SQL that evaluates to `sql` if the licence `l` needs seats, and otherwise to null. */
const onlyWithSeats = (sql: string) => `case when ${isLeasedSql} then ${sql} end`;

/** Columns that describe the licence `l` in reports about other records. */
export const licenceColumns: readonly ReportColumn[] = [
  { title: "Licence code", kind: "text", sql: "l.licence_code", isTrusted: true, width: 38, roles: licenceCodeRoles },
  { title: "Support code", kind: "text", sql: "l.support_code", isTrusted: true, width: 14 },
  createLabelColumn("Product", productLevels, "l.product_level"),
  createLabelColumn("Licence type", licenceTypes, "l.licence_type"),
];

/** Licences created in the range, with their status, usage and subscription. */
export const licencesReport: ReportSource = {
  fileName: "Licences",
  sheetName: "Licences",
  table: "licences l",
  at: "l.created_at",
  id: "l.id",
  joins: `join users u on u.id = l.user_id
    left join lateral (select s.* from subscriptions s where s.licence_id = l.id order by s.started_at desc limit 1) s on true
    left join lateral (select count(*) filter (where d.freed_at is null) as placed, max(d.last_seen_at) as last_seen_at
      from devices d where d.licence_id = l.id) d on true`,
  columns: (now) => [
    createDateColumn("Date created", "l.created_at"),
    ...licenceColumns,
    createLabelColumn("Licence category", licenceCategories, "l.licence_category", 24),
    createLabelColumn("Activation type", licenceActivationTypes, "l.licence_activation_type"),
    {
      title: "Status",
      kind: "text",
      sql: licenceStatusSql("l", now, (status) => `'${licenceStatusLabels[status]}'`),
      isTrusted: true,
      width: 12,
    },
    { title: "Expiry Date (UTC)", kind: "date", sql: "l.expires_at", isUtc: true },
    { title: "Number of users", kind: "number", sql: "l.number_of_users", width: 12 },
    { title: "Number of machines", kind: "number", sql: "l.number_of_machines", width: 12 },
    { title: "Machines activated", kind: "number", sql: "d.placed", width: 12 },
    createDateColumn("Last used", "d.last_seen_at"),
    { title: "Lease hours", kind: "number", sql: onlyWithSeats("l.limit_floating_lease_period_to_hours"), width: 12 },
    {
      title: "Heartbeat minutes",
      kind: "number",
      sql: onlyWithSeats("l.floating_heart_beat_interval_minutes"),
      width: 12,
    },
    { title: "Allow on VMs", kind: "text", sql: toYesOrNoSql("l.allow_on_vms"), isTrusted: true, width: 12 },
    { title: "PO number", kind: "text", sql: "l.purchase_order_number" },
    { title: "Project term", kind: "text", sql: "l.project_term" },
    { title: "Conversions", kind: "number", sql: "l.usage_count", width: 12 },
    { title: "Conversion limit", kind: "number", sql: "l.usage_limit", width: 12 },
    createPlanColumn("Subscription", "s.plan_price"),
    createSubscriptionStatusColumn(now),
    createDateColumn("Subscription period ends", "s.current_period_ends_at"),
    createDateColumn("Suspended", "l.suspended_at"),
    createDateColumn("Deactivated", "l.revoked_at"),
    ...ownerColumns,
  ],
};
