import { reportRules, reportTypes } from "#schema/report.ts";
import type { ReportRequest, ReportChoice } from "./report-choice.ts";
import { toCode } from "#schema/closed-list.ts";

/** Converts the form's values to a report request. Returns null if they are invalid. */
export function toReportRequest({ reportType, startDate, endDate, format }: ReportChoice): ReportRequest | null {
  return reportRules.isValidSync({ reportType, startDate, endDate, format })
    ? { reportType: toCode(reportTypes, Number(reportType)), startDate, endDate }
    : null;
}
