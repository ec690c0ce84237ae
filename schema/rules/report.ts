import { type InferType, number, object, string } from "yup";
import { reportFormats, type ReportType, reportTypes } from "#schema/catalogue.ts";
import { sellerRangeEnd, sellerRangeStart } from "./moment.ts";
import { line } from "./text.ts";

/** From when until when, and as which file. Days without a time are the vendor's days. */
export const reportPeriod = {
  startDate: sellerRangeStart("Start date is required."),
  endDate: sellerRangeEnd("End date is required.").when("startDate", ([start], rule) =>
    start instanceof Date && !Number.isNaN(start.getTime())
      ? rule.min(start, "End date must not be before the start date.")
      : rule,
  ),
  format: string().oneOf(reportFormats, "Format must be xlsx or csv.").default(reportFormats[0]),
};

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

const unknownType = "Unknown report type.";

/** One of {@link reportTypes}; a select's text is read as the number that it names, an empty one is none. */
export const reportType = number<ReportType>()
  .transform((value: unknown, original: unknown) => (isBlank(original) ? undefined : value))
  .typeError(unknownType)
  .oneOf(
    reportTypes.map(({ value }) => value),
    unknownType,
  )
  .required("Report type is required.");

/** Which report, from when until when, and as which file: the form, and body of `POST /v1/reports/download-report`. */
export const reportRules = object({ reportType, ...reportPeriod });
export type ReportValues = InferType<typeof reportRules>;

/** Body of `POST /v1/reports/download-licence-code-report`. */
export const licenceCodeReportRules = object({
  licenceCode: line(100).required("Licence code is required."),
  ...reportPeriod,
});
export type LicenceCodeReportValues = InferType<typeof licenceCodeReportRules>;
