import { reportRules } from "#schema/rules/report.ts";
import type { AskedReport, ReportChoice } from "./report-choice.ts";

/** What is asked of the api; null while the rules refuse the choice. */
export function askedOf({ reportType, startDate, endDate, format }: ReportChoice): AskedReport | null {
  return reportRules.isValidSync({ reportType, startDate, endDate, format })
    ? { reportType: Number(reportType), startDate, endDate }
    : null;
}
