import { type InferType, object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { vendorRangeEnd, vendorRangeStart } from "./moment.ts";
import type { StaffRole } from "./staff-roles.ts";
import { line, numberOfList, textOfList } from "./text.ts";

/** Reports that staff can download. */
export const reportTypes = defineList("ReportType", "A report that staff can download.", {
  USERS: [1, "Users", "Users by date of registration."],
  USERS_CONTACTS: [2, "User's Contacts", "Contacts at customers' companies."],
  USERS_COMMENTS: [3, "User's Comments", "Comments by staff about users."],
  LICENCES: [4, "Licences", "Licences by date of creation."],
  TAX_INVOICES: [5, "Tax Invoices", "Tax invoices and adjustment notes by date of issue."],
  LICENCE_VALIDATIONS: [6, "Licence Validations / Activations", "Licence checks and activations."],
  LICENCE_DEACTIVATIONS: [7, "Licence Deactivations", "Devices that were deactivated."],
  BLOCKED_MACHINES: [8, "Blocked Machines", "Machine names that staff blocked."],
  BLOCKED_MACHINE_ATTEMPTS: [9, "Blocked Machines Attempted Activations", "Requests from blocked machines."],
});

/** Number of a report in {@link reportTypes}. */
export type ReportType = ValueOf<typeof reportTypes>;

/** Kinds of the columns of reports. */
export const columnKinds = defineList("ReportColumnKind", "The format of the values of a report's column.", {
  TEXT: ["text", "Text", "Text."],
  DATE: ["date", "Date", "A date and time, as ISO 8601 in UTC."],
  NUMBER: ["number", "Number", "A number."],
  MONEY: ["money", "Money", "An amount in Australian dollars."],
});
export type ColumnKind = ValueOf<typeof columnKinds>;

/** Staff roles, besides owners, that see a report, where not all with reports do. Finance sees no comments. */
export const reportRoles = { 3: ["support"] } as const satisfies Partial<Record<ReportType, readonly StaffRole[]>>;

/** File formats of reports. The first one is the default. */
export const reportFormats = defineList("ReportFormat", "The file format of a report.", {
  XLSX: ["xlsx", "Excel", "An Excel workbook."],
  CSV: ["csv", "CSV", "Comma-separated text in UTF-8."],
});
export type ReportFormat = ValueOf<typeof reportFormats>;

/** Rules for the period and file format of a report. Dates without a time are days in the vendor's time zone. */
export const reportPeriod = {
  startDate: vendorRangeStart("Start date is required."),
  endDate: vendorRangeEnd("End date is required.").when("startDate", ([start], rule) =>
    start instanceof Date && !Number.isNaN(start.getTime())
      ? rule.min(start, "End date must not be before the start date.")
      : rule,
  ),
  format: textOfList(reportFormats, "Format must be xlsx or csv.").default("xlsx"),
};

/** Rule for one of {@link reportTypes}. The text of a select is read as a number, or as missing if it is empty. */
export const reportType = numberOfList(reportTypes, "Unknown report type.").required("Report type is required.");

/**
 * Rules for the type, period and format of a report, for the form and the body of `POST /v1/reports/download-report`.
 */
export const reportRules = object({ reportType, ...reportPeriod });
export type ReportValues = InferType<typeof reportRules>;

/** Body of `POST /v1/reports/download-licence-code-report`. */
export const licenceCodeReportRules = object({
  licenceCode: line(100).required("Licence code is required."),
  ...reportPeriod,
});
export type LicenceCodeReportValues = InferType<typeof licenceCodeReportRules>;
