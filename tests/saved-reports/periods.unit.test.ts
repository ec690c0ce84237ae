import { describe, expect, test } from "vitest";
import { savedReportRules } from "#schema/rules/saved-report.ts";
import { daysOfDueReport, daysOfPeriod, lastDue, nextDue, type ReportPeriod } from "#schema/saved-reports.ts";

const at = (iso: string) => new Date(iso);
const days = (period: ReportPeriod, iso: string) => {
  const { startDate, endDate } = daysOfPeriod(period, at(iso));
  return `${startDate} ${endDate}`;
};

test.each([
  ["ONE_MONTH", "2026-11-22T10:00:00Z", "2026-10-22 2026-11-22"],
  ["ONE_MONTH", "2026-03-31T10:00:00Z", "2026-02-28 2026-03-31"],
  ["ONE_MONTH", "2026-01-15T00:00:00Z", "2025-12-15 2026-01-15"],
  ["LAST_7_DAYS", "2026-03-03T23:59:59Z", "2026-02-25 2026-03-03"],
  ["LAST_DAY", "2026-01-01T00:00:00Z", "2025-12-31 2025-12-31"],
  ["THIS_MONTH", "2026-11-22T10:00:00Z", "2026-11-01 2026-11-22"],
  ["LAST_MONTH", "2028-03-31T10:00:00Z", "2028-02-01 2028-02-29"],
  ["LAST_MONTH", "2026-01-05T10:00:00Z", "2025-12-01 2025-12-31"],
  ["THIS_FINANCIAL_YEAR", "2026-06-30T23:59:59Z", "2025-07-01 2026-06-30"],
  ["THIS_FINANCIAL_YEAR", "2026-07-01T00:00:00Z", "2026-07-01 2026-07-01"],
  ["LAST_FINANCIAL_YEAR", "2026-07-01T00:00:00Z", "2025-07-01 2026-06-30"],
  ["LAST_FINANCIAL_YEAR", "2026-06-30T00:00:00Z", "2024-07-01 2025-06-30"],
  ["LAST_YEAR", "2026-11-22T10:00:00Z", "2025-11-23 2026-11-22"],
  ["LAST_YEAR", "2028-02-29T10:00:00Z", "2027-03-01 2028-02-29"],
  ["ALL_TIME", "2026-11-22T10:00:00Z", "2000-01-01 2026-11-22"],
] as const)("%s at %s is %s", (period, now, expected) => {
  expect(days(period, now)).toBe(expected);
});

describe("a report that was due at a midnight", () => {
  const due = (period: ReportPeriod, iso: string) => Object.values(daysOfDueReport(period, at(iso))).join(" ");

  test("tells of days that are over, whole weeks, months and financial years among them", () => {
    expect(due("LAST_7_DAYS", "2026-11-23T00:00:00Z")).toBe("2026-11-16 2026-11-22");
    expect(due("LAST_DAY", "2026-11-23T00:00:00Z")).toBe("2026-11-22 2026-11-22");
    expect(due("THIS_MONTH", "2026-12-01T00:00:00Z")).toBe("2026-11-01 2026-11-30");
    expect(due("LAST_MONTH", "2026-12-01T00:00:00Z")).toBe("2026-11-01 2026-11-30");
    expect(due("THIS_FINANCIAL_YEAR", "2026-07-01T00:00:00Z")).toBe("2025-07-01 2026-06-30");
  });
});

describe("schedules count in UTC, where no clock is ever put forward", () => {
  // The night Sydney's clocks go forward, and the one they go back.
  test.each([
    ["DAILY", "2026-10-03T16:30:00Z", "2026-10-03T00:00:00.000Z", "2026-10-04T00:00:00.000Z"],
    ["DAILY", "2026-04-04T16:30:00Z", "2026-04-04T00:00:00.000Z", "2026-04-05T00:00:00.000Z"],
    ["DAILY", "2026-11-22T00:00:00Z", "2026-11-22T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["WEEKLY", "2026-11-22T23:59:59Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["WEEKLY", "2026-11-23T00:00:00Z", "2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z"],
    ["MONTHLY", "2026-12-31T10:00:00Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ] as const)("%s at %s: last %s, next %s", (schedule, now, last, next) => {
    expect(lastDue(schedule, at(now))?.toISOString()).toBe(last);
    expect(nextDue(schedule, at(now))?.toISOString()).toBe(next);
  });

  test("what is not scheduled is never due", () => {
    expect(lastDue("NONE", new Date())).toBeNull();
    expect(nextDue("NONE", new Date())).toBeNull();
  });
});

test("a saved report needs a name, a type and a period; format and schedule have their defaults", () => {
  const faults = (values: object) => {
    try {
      savedReportRules.validateSync(values, { abortEarly: false });
      return [];
    } catch (error) {
      return (error as { errors: string[] }).errors.toSorted();
    }
  };
  expect(faults({})).toEqual(["Name is required.", "Period is required.", "Report type is required."]);
  expect(faults({ name: "x".repeat(81), reportType: 1, period: "LAST_DAY" })).toEqual(["Name is too long."]);
  expect(faults({ name: "a", reportType: 10, period: "TOMORROW", schedule: "HOURLY", format: "pdf" })).toHaveLength(4);
  expect(savedReportRules.cast({ name: " a ", reportType: "4", period: "LAST_DAY" })).toEqual({
    name: "a",
    reportType: 4,
    period: "LAST_DAY",
    format: "xlsx",
    schedule: "NONE",
  });
});
