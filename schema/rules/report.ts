import { type InferType, number, object, string } from "yup";
import { reportFormats, type ReportType, reportTypes } from "#schema/catalogue.ts";
import { listValues } from "#schema/closed-list.ts";
import { vendorRangeEnd, vendorRangeStart } from "#schema/moment.ts";
import { line } from "#schema/text.ts";

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
