import { type InferType, number, object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { vendorRangeEnd, vendorRangeStart } from "./moment.ts";
import type { StaffRole } from "./staff-roles.ts";
import { line } from "./text.ts";

/** Reports that staff can download. */
export const reportTypes = defineList("ReportType", "A report that staff can download.", [
  { code: "USERS", value: 1, label: "Users", description: "Users by date of registration." },
  { code: "USERS_CONTACTS", value: 2, label: "User's Contacts", description: "Contacts at customers' companies." },
  { code: "USERS_COMMENTS", value: 3, label: "User's Comments", description: "Comments by staff about users." },
  { code: "LICENCES", value: 4, label: "Licences", description: "Licences by date of creation." },
  {
    code: "TAX_INVOICES",
    value: 5,
    label: "Tax Invoices",
    description: "Tax invoices and adjustment notes by date of issue.",
  },
  {
    code: "LICENCE_VALIDATIONS",
    value: 6,
    label: "Licence Validations / Activations",
    description: "Licence checks and activations.",
  },
  {
    code: "LICENCE_DEACTIVATIONS",
    value: 7,
    label: "Licence Deactivations",
    description: "Devices that were deactivated.",
  },
  { code: "BLOCKED_MACHINES", value: 8, label: "Blocked Machines", description: "Machine names that staff blocked." },
  {
    code: "BLOCKED_MACHINE_ATTEMPTS",
    value: 9,
    label: "Blocked Machines Attempted Activations",
    description: "Requests from blocked machines.",
  },
] as const);

/** Number of a report in {@link reportTypes}. */
export type ReportType = (typeof reportTypes)[number]["value"];

/** Kinds of the columns of reports. */
export const columnKinds = defineList("ReportColumnKind", "The format of the values of a report's column.", [
  { code: "TEXT", value: "text", label: "Text", description: "Text." },
  { code: "DATE", value: "date", label: "Date", description: "A date and time, as ISO 8601 in UTC." },
  { code: "NUMBER", value: "number", label: "Number", description: "A number." },
  { code: "MONEY", value: "money", label: "Money", description: "An amount in Australian dollars." },
] as const);
export type ColumnKind = ValueOf<typeof columnKinds>;

/** Staff roles, besides owners, that see a report, where not all with reports do. Finance sees no comments. */
export const reportRoles = { 3: ["support"] } as const satisfies Partial<Record<ReportType, readonly StaffRole[]>>;

/** File formats of reports. The first one is the default. */
export const reportFormats = defineList("ReportFormat", "The file format of a report.", [
  { code: "XLSX", value: "xlsx", label: "Excel", description: "An Excel workbook." },
  { code: "CSV", value: "csv", label: "CSV", description: "Comma-separated text in UTF-8." },
] as const);
export type ReportFormat = ValueOf<typeof reportFormats>;

/** Rules for the period and file format of a report. Dates without a time are days in the vendor's time zone. */
export const reportPeriod = {
  startDate: vendorRangeStart("Start date is required."),
  endDate: vendorRangeEnd("End date is required.").when("startDate", ([start], rule) =>
    start instanceof Date && !Number.isNaN(start.getTime())
      ? rule.min(start, "End date must not be before the start date.")
      : rule,
  ),
  format: string()
    .oneOf(listValues(reportFormats), "Format must be xlsx or csv.")
    .default("xlsx")
    .meta({ list: () => reportFormats }),
};

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

const unknownType = "Unknown report type.";

/** Rule for one of {@link reportTypes}. The text of a select is read as a number, or as missing if it is empty. */
export const reportType = number<ReportType>()
  .transform((value: unknown, original: unknown) => (isBlank(original) ? undefined : value))
  .typeError(unknownType)
  .oneOf(
    reportTypes.map(({ value }) => value),
    unknownType,
  )
  .required("Report type is required.")
  .meta({ list: () => reportTypes });

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
