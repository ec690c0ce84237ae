/** Periods that move with time, and the words for them. Days are those of UTC, as in the reports. */
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

/** When a saved report is written and mailed by itself: at midnight UTC, when the days it tells of are over. */
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
const DAY_MS = 86_400_000;
const JULY = 6;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
const utcDay = (year: number, month: number, day: number): string => dayOf(new Date(Date.UTC(year, month, day)));

/** The day so many months before, or the last of its month where that is shorter: 31 March → 28 February. */
function monthsBefore(now: Date, months: number): string {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return utcDay(year, month, Math.min(now.getUTCDate(), lastOfMonth));
}

/** The days of a period as they are at a moment. Financial years are Australian: July to June. */
export function daysOfPeriod(period: ReportPeriod, now: Date): ReportDays {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const today = dayOf(now);
  const financialYear = month >= JULY ? year : year - 1;
  switch (period) {
    case "ONE_MONTH":
      return { startDate: monthsBefore(now, 1), endDate: today };
    case "LAST_7_DAYS":
      return { startDate: utcDay(year, month, day - 6), endDate: today };
    case "LAST_DAY":
      return { startDate: utcDay(year, month, day - 1), endDate: utcDay(year, month, day - 1) };
    case "THIS_MONTH":
      return { startDate: utcDay(year, month, 1), endDate: today };
    case "LAST_MONTH":
      return { startDate: utcDay(year, month - 1, 1), endDate: utcDay(year, month, 0) };
    case "THIS_FINANCIAL_YEAR":
      return { startDate: utcDay(financialYear, JULY, 1), endDate: today };
    case "LAST_FINANCIAL_YEAR":
      return { startDate: utcDay(financialYear - 1, JULY, 1), endDate: utcDay(financialYear, JULY, 0) };
    case "LAST_YEAR":
      return { startDate: dayOf(new Date(Date.parse(monthsBefore(now, 12)) + DAY_MS)), endDate: today };
    case "ALL_TIME":
      return { startDate: BEGINNING, endDate: today };
  }
}

/**
 * The days of a period for the report that was due at a midnight: what reaches to the present ends with the day that
 * was just over, so that seven days on a Monday are the week before, whole.
 */
export function daysOfDueReport(period: ReportPeriod, due: Date): ReportDays {
  return daysOfPeriod(period, past.includes(period) ? due : new Date(due.getTime() - 1));
}

/** The last moment, at or before `now`, when a schedule is due; null for none. */
export function lastDue(schedule: ReportSchedule, now: Date): Date | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (schedule === "NONE") return null;
  if (schedule === "MONTHLY") return new Date(Date.UTC(year, month, 1));
  const sinceMonday = schedule === "WEEKLY" ? (now.getUTCDay() + 6) % 7 : 0;
  return new Date(Date.UTC(year, month, day - sinceMonday));
}

/** The first moment after `now` when a schedule is due; null for none. */
export function nextDue(schedule: ReportSchedule, now: Date): Date | null {
  const last = lastDue(schedule, now);
  if (!last) return null;
  const [year, month, day] = [last.getUTCFullYear(), last.getUTCMonth(), last.getUTCDate()];
  if (schedule === "MONTHLY") return new Date(Date.UTC(year, month + 1, 1));
  return new Date(Date.UTC(year, month, day + (schedule === "WEEKLY" ? 7 : 1)));
}
