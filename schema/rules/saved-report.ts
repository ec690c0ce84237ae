import { type InferType, object, string } from "yup";
import { type ReportPeriod, reportPeriods, type ReportSchedule, reportSchedules } from "#schema/saved-reports.ts";
import { reportRules } from "./report.ts";
import { line } from "./text.ts";

const periods = Object.keys(reportPeriods) as ReportPeriod[];
const schedules = Object.keys(reportSchedules) as ReportSchedule[];

/** A report as an admin saves it, to be downloaded again or mailed on a schedule. */
export const savedReportRules = reportRules.pick(["reportType", "format"]).shape({
  name: line(80, "Name is too long.").required("Name is required."),
  period: string()
    .oneOf(periods, `Period must be one of ${periods.join(", ")}.`)
    .required("Period is required."),
  schedule: string()
    .oneOf(schedules, `Schedule must be one of ${schedules.join(", ")}.`)
    .default("NONE"),
});
export type SavedReportValues = InferType<typeof savedReportRules>;

/** What a mailed link to a report carries. */
export const reportFileRules = object({ token: line(200).required("Token is required.") });
