import { addDays, dayOf, startOfDay } from "./days.ts";

/** Periods that move with time, and the words for them. Days are the vendor's, as in the reports. */
export const reportPeriods = {
  ONE_MONTH: "One month to today",
  LAST_7_DAYS: "Last 7 days",
  LAST_DAY: "Yesterday",
  THIS_MONTH: "This month",
  LAST_MONTH: "Last calendar month",
  THIS_FINANCIAL_YEAR: "This financial year",
  LAST_FINANCIAL_YEAR: "Last financial year",
  LAST_YEAR: "Last 12 months",
  ALL_TIME: "All time",
} as const;
export type ReportPeriod = keyof typeof reportPeriods;

/** When a saved report is written and emailed: at midnight in the vendor's time zone, when the days it covers are over. */
export const reportSchedules = {
  NONE: "Not scheduled",
  DAILY: "Every day",
  WEEKLY: "Every Monday",
  MONTHLY: "The 1st of each month",
} as const;
export type ReportSchedule = keyof typeof reportSchedules;

/** Two days, both included, `YYYY-MM-DD`. */
export interface ReportDays {
  readonly startDate: string;
  readonly endDate: string;
}

/** Periods that are over before the day they are asked on; the others reach to that day. */
const past: readonly ReportPeriod[] = ["LAST_DAY", "LAST_MONTH", "LAST_FINANCIAL_YEAR"];

/** Before the portal's first user. */
const BEGINNING = "2000-01-01";
const JULY = 7;

/** Returns a calendar day; months before January and after December belong to the years around. */
function dayAt(year: number, month: number, day = 1): string {
  const first = new Date(Date.UTC(year, month - 1, 1));
  return addDays(dayOf(first, "UTC"), day - 1);
}

const partsOf = (day: string) => day.split("-").map(Number) as [year: number, month: number, day: number];

/** Returns the same day so many months before, or the last day of that month if it is shorter: 31 March → 28 February. */
function monthsBefore(today: string, months: number): string {
  const [year, month, day] = partsOf(today);
  const lastOfMonth = partsOf(dayAt(year, month - months + 1, 0))[2];
  return dayAt(year, month - months, Math.min(day, lastOfMonth));
}

/**
 * Returns the days of a period as of a moment, in a time zone, by default the vendor's. Financial years are Australian:
 * July to June.
 */
export function daysOfPeriod(period: ReportPeriod, now: Date, timeZone?: string): ReportDays {
  const today = dayOf(now, timeZone);
  const [year, month] = partsOf(today);
  const financialYear = month >= JULY ? year : year - 1;
  switch (period) {
    case "ONE_MONTH":
      return { startDate: monthsBefore(today, 1), endDate: today };
    case "LAST_7_DAYS":
      return { startDate: addDays(today, -6), endDate: today };
    case "LAST_DAY":
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) };
    case "THIS_MONTH":
      return { startDate: dayAt(year, month), endDate: today };
    case "LAST_MONTH":
      return { startDate: dayAt(year, month - 1), endDate: dayAt(year, month, 0) };
    case "THIS_FINANCIAL_YEAR":
      return { startDate: dayAt(financialYear, JULY), endDate: today };
    case "LAST_FINANCIAL_YEAR":
      return { startDate: dayAt(financialYear - 1, JULY), endDate: dayAt(financialYear, JULY, 0) };
    case "LAST_YEAR":
      return { startDate: addDays(monthsBefore(today, 12), 1), endDate: today };
    case "ALL_TIME":
      return { startDate: BEGINNING, endDate: today };
  }
}

/**
 * Returns the days of a period for the report that was due at a midnight. A period that reaches to the present ends with
 * the day that was just over, so that seven days on a Monday are the whole week before.
 */
export function daysOfDueReport(period: ReportPeriod, due: Date, timeZone?: string): ReportDays {
  return daysOfPeriod(period, past.includes(period) ? due : new Date(due.getTime() - 1), timeZone);
}

/** Returns the last day, up to today, on which a schedule is due; null for none. */
function lastDueDay(schedule: ReportSchedule, today: string): string | null {
  const [year, month] = partsOf(today);
  if (schedule === "NONE") return null;
  if (schedule === "MONTHLY") return dayAt(year, month);
  const sinceMonday = schedule === "WEEKLY" ? (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7 : 0;
  return addDays(today, -sinceMonday);
}

/** Returns the last moment, at or before `now`, when a schedule is due; null for none. */
export function lastDue(schedule: ReportSchedule, now: Date, timeZone?: string): Date | null {
  const last = lastDueDay(schedule, dayOf(now, timeZone));
  return last === null ? null : startOfDay(last, timeZone);
}

/** Returns the first moment after `now` when a schedule is due; null for none. */
export function nextDue(schedule: ReportSchedule, now: Date, timeZone?: string): Date | null {
  const last = lastDueDay(schedule, dayOf(now, timeZone));
  if (last === null) return null;
  const [year, month] = partsOf(last);
  return startOfDay(
    schedule === "MONTHLY" ? dayAt(year, month + 1) : addDays(last, schedule === "WEEKLY" ? 7 : 1),
    timeZone,
  );
}
