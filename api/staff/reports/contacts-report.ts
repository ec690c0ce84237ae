import { contactFields } from "#schema/fields/contact.ts";
import { dateColumn, fieldColumns, type ReportSource } from "./report.ts";
import { ownerColumns } from "./owner.ts";

/** Contacts added in the range, and whose they are. */
export const contactsReport: ReportSource = {
  fileName: "User-Contacts",
  sheetName: "User's Contacts",
  table: "contacts c",
  at: "c.added_at",
  id: "c.id",
  joins: "join users u on u.id = c.user_id",
  columns: () => [dateColumn("Date Added", "c.added_at"), ...fieldColumns(contactFields, "c"), ...ownerColumns],
};
