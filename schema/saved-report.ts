import { type InferType, object } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { addDays, addMonths, getCalendarDay, getStartOfDay } from "./days.ts";
import { defineFields, getRules } from "./field.ts";
import { reportFormats, reportPeriod, reportType, reportTypes } from "./report.ts";
import { line, textOfList } from "./text.ts";

/** Relative periods. Days are in the vendor's time zone, as in the reports. */
export const reportPeriods = defineList(
  "ReportPeriod",
  "A period of a saved report, relative to the current day in the vendor's time zone.",
  {
    ONE_MONTH: ["ONE_MONTH", "One month to today", "The month that ends today."],
    LAST_7_DAYS: ["LAST_7_DAYS", "Last 7 days", "Today and the six days before."],
    LAST_DAY: ["LAST_DAY", "Yesterday", "Yesterday."],
    THIS_MONTH: ["THIS_MONTH", "This month", "The current month up to today."],
    LAST_MONTH: ["LAST_MONTH", "Last calendar month", "The previous calendar month."],
    THIS_FINANCIAL_YEAR: [
      "THIS_FINANCIAL_YEAR",
      "This financial year",
      "The current Australian financial year, from 1 July, up to today.",
    ],
    LAST_FINANCIAL_YEAR: ["LAST_FINANCIAL_YEAR", "Last financial year", "The previous Australian financial year."],
    LAST_YEAR: ["LAST_YEAR", "Last 12 months", "The twelve months that end today."],
    ALL_TIME: ["ALL_TIME", "All time", "From the first user up to today."],
  },
);
export type ReportPeriod = ValueOf<typeof reportPeriods>;

/** Schedules of saved reports. Reports are written and emailed at midnight in the vendor's time zone. */
export const reportSchedules = defineList(
  "ReportSchedule",
  "When a saved report is emailed, at midnight in the vendor's time zone.",
  {
    NONE: ["NONE", "Not scheduled", "Never."],
    DAILY: ["DAILY", "Every day", "Every day."],
    WEEKLY: ["WEEKLY", "Every Monday", "Every Monday."],
    MONTHLY: ["MONTHLY", "The 1st of each month", "On the first day of each month."],
  },
);
export type ReportSchedule = ValueOf<typeof reportSchedules>;

/** States of a scheduled run. */
export const reportRunStates = defineList("ReportRunState", "The state of the last scheduled run of a saved report.", {
  WRITING: ["writing", "In progress", "The report is being written."],
  MAILED: ["mailed", "Emailed", "The report was emailed."],
  RETRYING: ["retrying", "Failed, retrying", "The run failed and is tried again."],
  FAILED: ["failed", "Failed", "The run failed for good."],
});
export type ReportRunState = ValueOf<typeof reportRunStates>;

/** First and last day of a period, `YYYY-MM-DD`. */
export interface ReportDays {
  readonly startDate: string;
  readonly endDate: string;
}

/** Periods that end before the current day. All others include it. */
const past: readonly ReportPeriod[] = ["LAST_DAY", "LAST_MONTH", "LAST_FINANCIAL_YEAR"];

/** A day before the portal had any users. */
const BEGINNING = "2000-01-01";

const getFirstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;

/**
 * Returns the days of a period relative to `now` in a time zone, by default the vendor's. Financial years are Australian,
 * from July to June.
 */
export function getPeriodDays(period: ReportPeriod, now: Date, timeZone?: string): ReportDays {
  const today = getCalendarDay(now, timeZone);
  const month = getFirstOfMonth(today);
  const july = `${today.slice(0, 4)}-07-01`;
  const financialYear = today >= july ? july : addMonths(july, -12);
  switch (period) {
    case "ONE_MONTH":
      return { startDate: addMonths(today, -1), endDate: today };
    case "LAST_7_DAYS":
      return { startDate: addDays(today, -6), endDate: today };
    case "LAST_DAY":
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) };
    case "THIS_MONTH":
      return { startDate: month, endDate: today };
    case "LAST_MONTH":
      return { startDate: addMonths(month, -1), endDate: addDays(month, -1) };
    case "THIS_FINANCIAL_YEAR":
      return { startDate: financialYear, endDate: today };
    case "LAST_FINANCIAL_YEAR":
      return { startDate: addMonths(financialYear, -12), endDate: addDays(financialYear, -1) };
    case "LAST_YEAR":
      return { startDate: addDays(addMonths(today, -12), 1), endDate: today };
    case "ALL_TIME":
      return { startDate: BEGINNING, endDate: today };
  }
}

/**
 * Returns the days of a period for a scheduled report that was due at midnight. A period that would include the current day
 * ends the day before, so a report of seven days on Monday covers the previous week.
 */
export function getDueReportDays(period: ReportPeriod, due: Date, timeZone?: string): ReportDays {
  return getPeriodDays(period, past.includes(period) ? due : new Date(due.getTime() - 1), timeZone);
}

/** Returns the last day, up to and including today, on which a report is due; null if it isn't scheduled. */
function getLastDueDay(schedule: ReportSchedule, today: string): string | null {
  if (schedule === "NONE") return null;
  if (schedule === "MONTHLY") return getFirstOfMonth(today);
  const sinceMonday = schedule === "WEEKLY" ? (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7 : 0;
  return addDays(today, -sinceMonday);
}

/** Returns the last moment, up to and including `now`, at which a report is due; null if it isn't scheduled. */
export function getLastDue(schedule: ReportSchedule, now: Date, timeZone?: string): Date | null {
  const last = getLastDueDay(schedule, getCalendarDay(now, timeZone));
  return last === null ? null : getStartOfDay(last, timeZone);
}

/** Returns the first moment after `now` at which a report is due; null if it isn't scheduled. */
export function getNextDue(schedule: ReportSchedule, now: Date, timeZone?: string): Date | null {
  const last = getLastDueDay(schedule, getCalendarDay(now, timeZone));
  if (last === null) return null;
  return getStartOfDay(
    schedule === "MONTHLY" ? addMonths(last, 1) : addDays(last, schedule === "WEEKLY" ? 7 : 1),
    timeZone,
  );
}

/** Fields of a saved report, which an admin can download again or receive by email on a schedule. */
export const savedReportFields = defineFields({
  reportType: { label: "Report type", rule: reportType, example: 1, list: reportTypes },
  format: { label: "Format", rule: reportPeriod.format, example: "csv", list: reportFormats },
  name: { label: "Name", rule: line(80, "Name is too long.").required("Name is required."), example: "Monthly users" },
  period: {
    label: "Period",
    rule: textOfList(reportPeriods, `Period must be one of ${listValues(reportPeriods).join(", ")}.`).required(
      "Period is required.",
    ),
    example: "LAST_MONTH",
  },
  schedule: {
    label: "Schedule",
    rule: textOfList(reportSchedules, `Schedule must be one of ${listValues(reportSchedules).join(", ")}.`).default(
      "NONE",
    ),
    example: "MONTHLY",
  },
});

export const savedReportRules = object(getRules(savedReportFields));
export type SavedReportValues = InferType<typeof savedReportRules>;

/** Rules for the token in an emailed link to a report. */
export const reportFileRules = object({ token: line(200).required("Token is required.") });
