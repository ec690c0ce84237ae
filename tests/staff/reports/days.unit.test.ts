import { describe, expect, test } from "vitest";
import { addDays, getCalendarDay, getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { reportRules } from "#schema/rules/report.ts";

const hours = (day: string, timeZone: string) =>
  (getEndOfDay(day, timeZone).getTime() + 1 - getStartOfDay(day, timeZone).getTime()) / 3_600_000;

describe("getStartOfDay and getEndOfDay", () => {
  test.each([
    ["2026-11-20", "Australia/Brisbane", "2026-11-19T14:00:00.000Z", 24],
    ["2026-10-04", "Australia/Sydney", "2026-10-03T14:00:00.000Z", 23],
    ["2026-04-05", "Australia/Sydney", "2026-04-04T13:00:00.000Z", 25],
    ["2026-07-01", "Australia/Adelaide", "2026-06-30T14:30:00.000Z", 24],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z", 23],
  ])("return the bounds of %s in %s, which starts at %s and lasts %d hours", (day, timeZone, start, length) => {
    expect(getStartOfDay(day, timeZone).toISOString()).toBe(start);
    expect(hours(day, timeZone)).toBe(length);
    expect(getCalendarDay(getStartOfDay(day, timeZone), timeZone)).toBe(day);
    expect(getCalendarDay(getEndOfDay(day, timeZone), timeZone)).toBe(day);
  });

  test("use the vendor's time zone by default", () => {
    expect(getCalendarDay(new Date("2026-11-19T16:32:00Z"))).toBe("2026-11-20");
    expect(getStartOfDay("2026-11-20").toISOString()).toBe("2026-11-19T14:00:00.000Z");
  });

  test("stay within the years that the database supports", () => {
    expect(getStartOfDay("0001-01-01").toISOString()).toBe("0001-01-01T00:00:00.000Z");
    expect(getEndOfDay("9999-12-31").toISOString()).toBe("9999-12-31T23:59:59.999Z");
    expect(addDays("9999-12-31", 1)).toBe("9999-12-31");
  });
});

describe("report range", () => {
  const range = (startDate: string, endDate: string) => {
    const read = reportRules.validateSync({ reportType: 5, startDate, endDate });
    return `${read.startDate.toISOString()} ${read.endDate.toISOString()}`;
  };

  test("reads a day in the vendor's time zone", () => {
    expect(range("2026-11-20", "2026-11-20")).toBe("2026-11-19T14:00:00.000Z 2026-11-20T13:59:59.999Z");
    expect(range("2025-07-01", "2026-06-30")).toBe("2025-06-30T14:00:00.000Z 2026-06-30T13:59:59.999Z");
  });

  test("reads a time without offset as UTC and respects an offset", () => {
    expect(range("2026-11-20 00:00:00", "2026-11-20 01:00:00")).toBe(
      "2026-11-20T00:00:00.000Z 2026-11-20T01:00:00.999Z",
    );
    expect(range("2026-11-20T00:00:00+10:00", "2026-11-20T01:00:00.500+10:00")).toBe(
      "2026-11-19T14:00:00.000Z 2026-11-19T15:00:00.500Z",
    );
  });

  test("rejects invalid days and an end before the start", () => {
    for (const [start, end] of [
      ["2026-02-30", "2026-03-01"],
      ["2026-03-01", "2026-02-30"],
      ["2026-03-02", "2026-03-01"],
    ] as const)
      expect(() => range(start, end)).toThrow();
  });
});
