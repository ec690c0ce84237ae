import { memberTypes } from "#schema/catalogue.ts";
import { labelColumn, type ReportColumn } from "./report.ts";

/** SQL: what is left of a deleted account's address names nobody. */
export const emailOfUser = "case when u.deleted_at is null then u.email end";

/** SQL: whether an account can be signed in to. */
export const standingOfUser =
  "case when u.deleted_at is not null then 'Deleted' when u.archived_at is not null then 'Archived' when u.id is not null then 'Active' end";

/** Whose the row is, `u` of `users`: every report that is not about users ends with these, so that nobody looks twice. */
export const ownerColumns: readonly ReportColumn[] = [
  { title: "First Name", kind: "text", sql: "u.first_name" },
  { title: "Last Name", kind: "text", sql: "u.last_name" },
  { title: "Company", kind: "text", sql: "u.company_name", width: 28 },
  { title: "Email", kind: "text", sql: emailOfUser, width: 32 },
  { title: "Phone", kind: "text", sql: "u.mobile" },
  labelColumn("User Type", memberTypes, "u.member_type", 12),
  { title: "Account", kind: "text", sql: standingOfUser, isOurs: true, width: 12 },
];
