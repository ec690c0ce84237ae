import { expect, test } from "vitest";
import {
  getDueReportDays,
  getLastDue,
  getNextDue,
  getPeriodDays,
  type ReportPeriod,
  savedReportRules,
} from "#schema/saved-report.ts";

const at = (iso: string) => new Date(iso);
const days = (period: ReportPeriod, iso: string, timeZone?: string) => {
  const { startDate, endDate } = getPeriodDays(period, at(iso), timeZone);
  return `${startDate} ${endDate}`;
};

test("covers calendar days in the vendor's time zone, or in another one", () => {
  const cases: [period: ReportPeriod, now: string, covered: string, timeZone?: string][] = [
    ["ONE_MONTH", "2026-11-22T10:00:00Z", "2026-10-22 2026-11-22"],
    ["ONE_MONTH", "2026-03-31T10:00:00Z", "2026-02-28 2026-03-31"],
    ["ONE_MONTH", "2026-01-15T00:00:00Z", "2025-12-15 2026-01-15"],
    ["LAST_7_DAYS", "2026-03-03T13:59:59Z", "2026-02-25 2026-03-03"],
    ["LAST_DAY", "2026-01-01T00:00:00Z", "2025-12-31 2025-12-31"],
    ["THIS_MONTH", "2026-11-22T10:00:00Z", "2026-11-01 2026-11-22"],
    ["LAST_MONTH", "2028-03-31T10:00:00Z", "2028-02-01 2028-02-29"],
    ["LAST_MONTH", "2026-01-05T10:00:00Z", "2025-12-01 2025-12-31"],
    ["THIS_FINANCIAL_YEAR", "2026-06-30T13:59:59Z", "2025-07-01 2026-06-30"],
    ["THIS_FINANCIAL_YEAR", "2026-06-30T14:00:00Z", "2026-07-01 2026-07-01"],
    ["LAST_FINANCIAL_YEAR", "2026-06-30T14:00:00Z", "2025-07-01 2026-06-30"],
    ["LAST_FINANCIAL_YEAR", "2026-06-30T13:59:59Z", "2024-07-01 2025-06-30"],
    ["LAST_YEAR", "2026-11-22T10:00:00Z", "2025-11-23 2026-11-22"],
    ["LAST_YEAR", "2028-02-29T10:00:00Z", "2027-03-01 2028-02-29"],
    ["ALL_TIME", "2026-11-22T10:00:00Z", "2000-01-01 2026-11-22"],
    ["LAST_DAY", "2026-10-04T12:59:59Z", "2026-10-03 2026-10-03", "Australia/Sydney"],
    ["LAST_DAY", "2026-10-04T13:00:00Z", "2026-10-04 2026-10-04", "Australia/Sydney"],
    ["THIS_FINANCIAL_YEAR", "2026-06-30T14:00:00Z", "2026-07-01 2026-07-01", "Australia/Sydney"],
    ["THIS_MONTH", "2026-12-31T13:00:00Z", "2027-01-01 2027-01-01", "Australia/Sydney"],
    ["LAST_MONTH", "2026-06-30T14:29:59Z", "2026-05-01 2026-05-31", "Australia/Adelaide"],
    ["LAST_MONTH", "2026-06-30T14:30:00Z", "2026-06-01 2026-06-30", "Australia/Adelaide"],
    ["LAST_DAY", "2026-11-02T04:59:59Z", "2026-10-31 2026-10-31", "America/New_York"],
  ];
  for (const [period, now, covered, timeZone] of cases)
    expect([period, now, days(period, now, timeZone)]).toEqual([period, now, covered]);
});

const due = (period: ReportPeriod, iso: string) => Object.values(getDueReportDays(period, at(iso))).join(" ");

test("getDueReportDays covers completed days, weeks, months and financial years", () => {
  expect(due("LAST_7_DAYS", "2026-11-22T14:00:00Z")).toBe("2026-11-16 2026-11-22");
  expect(due("LAST_DAY", "2026-11-22T14:00:00Z")).toBe("2026-11-22 2026-11-22");
  expect(due("THIS_MONTH", "2026-11-30T14:00:00Z")).toBe("2026-11-01 2026-11-30");
  expect(due("LAST_MONTH", "2026-11-30T14:00:00Z")).toBe("2026-11-01 2026-11-30");
  expect(due("THIS_FINANCIAL_YEAR", "2026-06-30T14:00:00Z")).toBe("2025-07-01 2026-06-30");
});

test.each([
  ["DAILY", "Australia/Brisbane", "2026-11-22T13:59:59Z", "2026-11-21T14:00:00.000Z", "2026-11-22T14:00:00.000Z"],
  ["DAILY", "Australia/Brisbane", "2026-11-22T14:00:00Z", "2026-11-22T14:00:00.000Z", "2026-11-23T14:00:00.000Z"],
  ["WEEKLY", "Australia/Brisbane", "2026-11-22T13:59:59Z", "2026-11-15T14:00:00.000Z", "2026-11-22T14:00:00.000Z"],
  ["WEEKLY", "Australia/Brisbane", "2026-11-22T14:00:00Z", "2026-11-22T14:00:00.000Z", "2026-11-29T14:00:00.000Z"],
  ["MONTHLY", "Australia/Brisbane", "2026-12-31T10:00:00Z", "2026-11-30T14:00:00.000Z", "2026-12-31T14:00:00.000Z"],
  // Days with 23 and with 25 hours.
  ["DAILY", "Australia/Sydney", "2026-10-03T16:30:00Z", "2026-10-03T14:00:00.000Z", "2026-10-04T13:00:00.000Z"],
  ["DAILY", "Australia/Sydney", "2026-04-04T16:30:00Z", "2026-04-04T13:00:00.000Z", "2026-04-05T14:00:00.000Z"],
  ["MONTHLY", "Australia/Sydney", "2026-10-15T00:00:00Z", "2026-09-30T14:00:00.000Z", "2026-10-31T13:00:00.000Z"],
] as const)("a schedule is due at midnight: %s in %s at %s", (schedule, timeZone, now, last, next) => {
  expect(getLastDue(schedule, at(now), timeZone)?.toISOString()).toBe(last);
  expect(getNextDue(schedule, at(now), timeZone)?.toISOString()).toBe(next);
});

test("a saved report without a schedule is never due", () => {
  expect([getLastDue("NONE", new Date()), getNextDue("NONE", new Date())]).toEqual([null, null]);
});

test("requires the name, type and period of a saved report, and has defaults for the format and schedule", () => {
  const findErrors = (values: object) => {
    try {
      savedReportRules.validateSync(values, { abortEarly: false });
      return [];
    } catch (error) {
      return (error as { errors: string[] }).errors.toSorted();
    }
  };
  expect(findErrors({})).toEqual(["Name is required.", "Period is required.", "Report type is required."]);
  expect(findErrors({ name: "x".repeat(81), reportType: 1, period: "LAST_DAY" })).toEqual(["Name is too long."]);
  expect(findErrors({ name: "a", reportType: 10, period: "TOMORROW", schedule: "HOURLY", format: "pdf" })).toHaveLength(
    4,
  );
  const defaults = { format: "xlsx", schedule: "NONE" };
  const read = savedReportRules.cast({ name: " a ", reportType: "4", period: "LAST_DAY" });
  expect(read).toEqual({ name: "a", reportType: 4, period: "LAST_DAY", ...defaults });
});
