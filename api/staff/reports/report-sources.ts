import { reportRoles, type ReportType } from "#schema/report.ts";
import { ResultCode } from "#schema/result-code.ts";
import {
  createDateColumn,
  createFieldColumns,
  createLabelColumn,
  createLookupJoin,
  createMoneyColumn,
  type ReportSource,
  toYesOrNoSql,
} from "./report.ts";
import { licenceColumns, licencesReport } from "./licences-report.ts";
import { usersReport } from "./users-report.ts";
import {
  resultColumns,
  requestColumn,
  machineColumns,
  ownerColumns,
  versionColumns,
  createPlanColumn,
} from "./shared-columns.ts";
import { contactFields } from "#schema/contact.ts";
import { deactivationActors } from "#schema/device.ts";
import { documentKinds } from "#schema/manual-invoice.ts";

/** Tax invoices and adjustment notes issued in the range, in AUD. Amounts of adjustment notes are negative, so that sums are correct. */
const invoicesReport: ReportSource = {
  fileName: "Tax-Invoices",
  sheetName: "Tax Invoices",
  table: "tax_invoices i",
  at: "i.issued_at",
  id: "i.id",
  // The invoice time of the payment provider may be slightly earlier than the checkout time. The discount of an invoice by
  // hand, which has no plan, is goodwill.
  joins: `join users u on u.id = i.user_id left join tax_invoices adjusted on adjusted.id = i.adjusts_id
    left join lateral (select string_agg(line, ', ') as line from jsonb_array_elements_text(i.buyer->'address') line) address on true
    left join lateral (select p.code from checkouts c
      join promo_redemptions r on r.checkout_id = c.id join promo_codes p on p.id = r.promo_code_id
      where i.discount_cents > 0 and i.plan_price is not null and c.user_id = i.user_id and c.state = 'paid' and c.discount_cents = i.discount_cents
        and c.created_at <= i.issued_at + interval '1 minute' order by c.created_at desc limit 1) promo on true`,
  columns: () => [
    createDateColumn("Date issued", "i.issued_at"),
    { title: "Number", kind: "text", sql: "i.number", isTrusted: true, width: 12 },
    createLabelColumn("Document", documentKinds, "i.kind"),
    { title: "Adjusts invoice", kind: "text", sql: "adjusted.number", isTrusted: true },
    { title: "Description", kind: "text", sql: "i.description", width: 36 },
    createPlanColumn("Plan", "i.plan_price"),
    createDateColumn("Period start", "i.period_start"),
    createDateColumn("Period end", "i.period_end"),
    createMoneyColumn("Amount (AUD)", "i.amount_cents"),
    createMoneyColumn("Discount (AUD)", "i.discount_cents"),
    createMoneyColumn("GST (AUD)", "i.gst_cents"),
    createMoneyColumn("Total (AUD)", "i.total_cents"),
    createMoneyColumn(
      "Refunded (AUD)",
      "(select -sum(n.total_cents) from tax_invoices n where n.adjusts_id = i.id and n.paid_at is not null)",
    ),
    { title: "GST rate (%)", kind: "number", sql: "(i.gst_basis_points / 100.0)::float8", width: 12 },
    createDateColumn("Date paid", "i.paid_at"),
    { title: "Card ending", kind: "text", sql: "i.card_last4", width: 12 },
    { title: "Promo Code", kind: "text", sql: "promo.code" },
    { title: "Buyer", kind: "text", sql: "i.buyer->>'name'", width: 28 },
    { title: "Buyer ABN", kind: "text", sql: "i.buyer->>'abn'" },
    { title: "Buyer address", kind: "text", sql: "address.line", width: 48 },
    ...ownerColumns,
  ],
};

/** Columns of the licence of event `e` and of its user. Empty if the licence code was unknown. */
const eventLicence = createLookupJoin(
  [...licenceColumns, ...ownerColumns],
  "licences l join users u on u.id = l.user_id where l.id = e.licence_id",
);

/**
 * Activation and validation requests in the range, including refusals and requests with unknown licence codes.
 * Identical successful requests within an hour share one row with a count and the time of the first request.
 */
const validationsReport: ReportSource = {
  fileName: "Licence-Validations-and-Activations",
  sheetName: "Validations and activations",
  table: "licence_events e",
  at: "e.at",
  id: "e.id",
  // Same condition as the index `licence_events_asked`.
  where: "e.kind in ('activate', 'validate', 'offline', 'move')",
  joins: eventLicence.join,
  columns: () => [
    createDateColumn("Date", "e.at"),
    createDateColumn("Last date", "e.last_at"),
    { title: "Count", kind: "number", sql: "e.count", width: 8 },
    requestColumn,
    ...resultColumns,
    ...machineColumns,
    ...versionColumns,
    ...eventLicence.columns,
  ],
};

/** Device deactivations in the range: who deactivated the device, why, and whether it counts towards the limit. */
const deactivationsReport: ReportSource = {
  fileName: "Licence-Deactivations",
  sheetName: "Licence Deactivations",
  table: "deactivations x",
  at: "x.at",
  id: "x.id",
  joins: `join devices d on d.id = x.device_id join licences l on l.id = d.licence_id join users u on u.id = x.user_id`,
  columns: () => [
    createDateColumn("Date", "x.at"),
    { title: "Machine name", kind: "text", sql: "d.machine_name", width: 30 },
    { title: "Windows user", kind: "text", sql: "d.os_user", width: 24 },
    createLabelColumn("Deactivated by", deactivationActors, `x."by"`),
    { title: "By customer", kind: "text", sql: toYesOrNoSql(`x."by" = 'customer'`), isTrusted: true, width: 12 },
    { title: "Reason", kind: "text", sql: "x.reason", width: 48 },
    createDateColumn("Activated", "d.activated_at"),
    createDateColumn("Last Seen", "d.last_seen_at"),
    ...licenceColumns,
    ...ownerColumns,
    { title: "Annual deactivation limit", kind: "number", sql: "u.annual_deactivation_limit", width: 12 },
  ],
};

/** Machine names blocked in the range that are still blocked, with the affected licences. */
const blockedMachinesReport: ReportSource = {
  fileName: "Blocked-Machines",
  sheetName: "Blocked Machines",
  table: "blocked_machines b",
  at: "b.blocked_at",
  id: "b.id",
  joins: "join users u on u.id = b.user_id",
  columns: () => [
    createDateColumn("Date blocked", "b.blocked_at"),
    { title: "Machine name", kind: "text", sql: "b.machine_name", width: 40 },
    {
      title: "Support codes of licences",
      kind: "text",
      sql: `(select left(string_agg(l.support_code, ', ' order by l.created_at desc, l.id), 32767) from licences l
        where l.user_id = b.user_id and l.revoked_at is null)`,
      isTrusted: true,
      width: 40,
    },
    ...ownerColumns,
  ],
};

/** Contacts added in the range, with their users. */
const contactsReport: ReportSource = {
  fileName: "User-Contacts",
  sheetName: "User's Contacts",
  table: "contacts c",
  at: "c.added_at",
  id: "c.id",
  joins: "join users u on u.id = c.user_id",
  columns: () => [
    createDateColumn("Date added", "c.added_at"),
    ...createFieldColumns(contactFields, "c"),
    ...ownerColumns,
  ],
};

/** Comments written by staff in the range, with the users they are about. */
const commentsReport: ReportSource = {
  fileName: "User-Comments",
  sheetName: "User's Comments",
  table: "comments c",
  at: "c.at",
  id: "c.id",
  joins: "join users u on u.id = c.user_id",
  roles: reportRoles[3],
  columns: () => [
    createDateColumn("Comment date", "c.at"),
    { title: "Comment", kind: "text", sql: "c.text", width: 60 },
    { title: "Commented by", kind: "text", sql: "c.commented_by", width: 24 },
    ...ownerColumns,
  ],
};

/** Requests in the range that were refused because the machine is blocked. */
const blockedAttemptsReport: ReportSource = {
  fileName: "Blocked-Machines-Attempted-Activations",
  sheetName: "Blocked machine attempts",
  table: "licence_events e",
  at: "e.at",
  id: "e.id",
  // Same condition as the index `licence_events_blocked`.
  where: `e.result_code = ${ResultCode.MACHINE_BLOCKED}`,
  joins: eventLicence.join,
  columns: () => [
    createDateColumn("Date", "e.at"),
    ...machineColumns,
    requestColumn,
    ...versionColumns,
    ...eventLicence.columns,
  ],
};

export const reportSources: Readonly<Record<ReportType, ReportSource>> = {
  1: usersReport,
  2: contactsReport,
  3: commentsReport,
  4: licencesReport,
  5: invoicesReport,
  6: validationsReport,
  7: deactivationsReport,
  8: blockedMachinesReport,
  9: blockedAttemptsReport,
};
