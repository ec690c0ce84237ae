import { string } from "yup";
import { reportFormats, reportTypes } from "#schema/catalogue.ts";
import { reportPeriod, reportType } from "#schema/rules/report.ts";
import { line } from "#schema/text.ts";
import { type ReportPeriod, reportPeriods, type ReportSchedule, reportSchedules } from "#schema/saved-reports.ts";
import { defineFields } from "#schema/field.ts";
import { listValues } from "#schema/closed-list.ts";

const periods = listValues(reportPeriods);
const schedules = listValues(reportSchedules);

/** Fields of a saved report, which an admin can download again or receive by email on a schedule. */
export const savedReportFields = defineFields({
  reportType: { label: "Report type", rule: reportType, example: 1, list: reportTypes },
  format: { label: "Format", rule: reportPeriod.format, example: "csv", list: reportFormats },
  name: { label: "Name", rule: line(80, "Name is too long.").required("Name is required."), example: "Monthly users" },
  period: {
    label: "Period",
    rule: string<ReportPeriod>()
      .oneOf(periods, `Period must be one of ${periods.join(", ")}.`)
      .required("Period is required.")
      .meta({ list: () => reportPeriods }),
    example: "LAST_MONTH",
  },
  schedule: {
    label: "Schedule",
    rule: string<ReportSchedule>()
      .oneOf(schedules, `Schedule must be one of ${schedules.join(", ")}.`)
      .default("NONE")
      .meta({ list: () => reportSchedules }),
    example: "MONTHLY",
  },
});
