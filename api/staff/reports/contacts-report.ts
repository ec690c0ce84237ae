import { contactTypes } from "#schema/catalogue.ts";
import { dateColumn, labelColumn, type ReportSource } from "./report.ts";
import { ownerColumns } from "./owner.ts";

/** Contacts added in the range, and whose they are. */
export const contactsReport: ReportSource = {
  fileName: "User-Contacts",
  sheetName: "User's Contacts",
  table: "contacts c",
  at: "c.added_at",
  id: "c.id",
  joins: "join users u on u.id = c.user_id",
  columns: () => [
    dateColumn("Date Added", "c.added_at"),
    { title: "Contact First Name", kind: "text", sql: "c.first_name", width: 20 },
    { title: "Contact Last Name", kind: "text", sql: "c.last_name", width: 20 },
    { title: "Contact Email", kind: "text", sql: "c.email", width: 32 },
    { title: "Contact Phone", kind: "text", sql: "c.phone" },
    labelColumn("Contact Type", contactTypes, "c.contact_type", 20),
    ...ownerColumns,
  ],
};
