import { expect, test } from "vitest";
import { buildSeries } from "#api/staff/reports/report-series.ts";
import { addDays, getCalendarDay, getEndOfDay, getLastDayOfMonth, getStartOfDay } from "#schema/days.ts";
import { reportRules } from "#schema/report.ts";

const hours = (day: string, timeZone: string) =>
  (getEndOfDay(day, timeZone).getTime() + 1 - getStartOfDay(day, timeZone).getTime()) / 3_600_000;

test.each([
  ["2026-11-20", "Australia/Brisbane", "2026-11-19T14:00:00.000Z", 24],
  ["2026-10-04", "Australia/Sydney", "2026-10-03T14:00:00.000Z", 23],
  ["2026-04-05", "Australia/Sydney", "2026-04-04T13:00:00.000Z", 25],
  ["2026-07-01", "Australia/Adelaide", "2026-06-30T14:30:00.000Z", 24],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z", 23],
])("getStartOfDay and getEndOfDay return the bounds of %s in %s", (day, timeZone, start, length) => {
  expect(getStartOfDay(day, timeZone).toISOString()).toBe(start);
  expect(hours(day, timeZone)).toBe(length);
  expect(getCalendarDay(getStartOfDay(day, timeZone), timeZone)).toBe(day);
  expect(getCalendarDay(getEndOfDay(day, timeZone), timeZone)).toBe(day);
});

test("getStartOfDay and getEndOfDay use the vendor's time zone by default", () => {
  expect(getCalendarDay(new Date("2026-11-19T16:32:00Z"))).toBe("2026-11-20");
  expect(getStartOfDay("2026-11-20").toISOString()).toBe("2026-11-19T14:00:00.000Z");
});

test("getStartOfDay and getEndOfDay stay within the years that the database supports", () => {
  expect(getStartOfDay("0001-01-01").toISOString()).toBe("0001-01-01T00:00:00.000Z");
  expect(getEndOfDay("9999-12-31").toISOString()).toBe("9999-12-31T23:59:59.999Z");
  expect(addDays("9999-12-31", 1)).toBe("9999-12-31");
});

test.each([
  ["2026-11", "2026-11-30"],
  ["2028-02-10", "2028-02-29"],
  ["2026-02-28", "2026-02-28"],
  ["0004-02", "0004-02-29"],
  ["9999-12", "9999-12-31"],
])("getLastDayOfMonth(%s) returns %s", (month, lastDay) => {
  expect(getLastDayOfMonth(month)).toBe(lastDay);
});

const range = (startDate: string, endDate: string) => {
  const read = reportRules.validateSync({ reportType: 5, startDate, endDate });
  return `${read.startDate.toISOString()} ${read.endDate.toISOString()}`;
};

test("a report range reads a day in the vendor's time zone", () => {
  expect(range("2026-11-20", "2026-11-20")).toBe("2026-11-19T14:00:00.000Z 2026-11-20T13:59:59.999Z");
  expect(range("2025-07-01", "2026-06-30")).toBe("2025-06-30T14:00:00.000Z 2026-06-30T13:59:59.999Z");
});

test("a report range reads a time without offset as UTC and respects an offset", () => {
  expect(range("2026-11-20 00:00:00", "2026-11-20 01:00:00")).toBe("2026-11-20T00:00:00.000Z 2026-11-20T01:00:00.999Z");
  const expected = "2026-11-19T14:00:00.000Z 2026-11-19T15:00:00.500Z";
  expect(range("2026-11-20T00:00:00+10:00", "2026-11-20T01:00:00.500+10:00")).toBe(expected);
});

test("a report range rejects invalid days and an end before the start", () => {
  for (const [start, end] of [
    ["2026-02-30", "2026-03-01"],
    ["2026-03-01", "2026-02-30"],
    ["2026-03-02", "2026-03-01"],
  ] as const)
    expect(() => range(start, end)).toThrow();
});

const DAY = 86_400_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;
const counts = (...dates: string[]) => dates.map((date) => ({ day: day(date), count: 1 }));
const series = (from: string, to: string, ...dates: string[]) => buildSeries(counts(...dates), day(from), day(to));

test("a report series has a point per day for up to 100 days, including empty ones", () => {
  const { bucket, points } = series("2026-01-01", "2026-01-04", "2026-01-02", "2026-01-04");
  expect(bucket).toBe("DAY");
  expect(points).toEqual([
    { date: "2026-01-01", count: 0 },
    { date: "2026-01-02", count: 1 },
    { date: "2026-01-03", count: 0 },
    { date: "2026-01-04", count: 1 },
  ]);
  expect(series("2026-01-01", "2026-04-10").points).toHaveLength(100);
});

test("a report series has a point per week, starting on Monday, for more than 100 days", () => {
  const { bucket, points } = series("2026-01-01", "2026-04-11", "2026-01-01", "2026-01-04", "2026-01-05");
  expect(bucket).toBe("WEEK");
  expect(points.slice(0, 2)).toEqual([
    { date: "2025-12-29", count: 2 },
    { date: "2026-01-05", count: 1 },
  ]);
  expect(points).toHaveLength(15);
});

test("a report series has a point per month for more than 100 weeks, and per year for more than 100 months", () => {
  const months = series("2020-01-15", "2023-12-31", "2020-01-31", "2020-02-29", "2023-12-31");
  expect(months.bucket).toBe("MONTH");
  expect(months.points.slice(0, 2)).toEqual([
    { date: "2020-01-01", count: 1 },
    { date: "2020-02-01", count: 1 },
  ]);
  expect(months.points.at(-1)).toEqual({ date: "2023-12-01", count: 1 });
  const years = series("2000-01-01", "2099-12-31", "2001-05-05", "2026-05-05");
  expect([years.bucket, years.points.length]).toEqual(["YEAR", 26]);
  expect(years.points[0]).toEqual({ date: "2001-01-01", count: 1 });
});

test("a report series covers only the days with rows in an unlimited range", () => {
  const cut = series("0001-01-01", "9999-12-31", "2026-05-05", "2026-05-07");
  expect([cut.bucket, cut.points.map(({ count }) => count)]).toEqual(["DAY", [1, 0, 1]]);
  expect(series("0001-01-01", "9999-12-31").points).toEqual([]);
});

test("a report series has at most 100 points, with earlier rows added to the first", () => {
  const all = series("0001-01-01", "9999-12-31", "0001-01-01", "1500-06-01", "2026-05-05");
  expect([all.points.length, all.points[0]]).toEqual([100, { date: "1927-01-01", count: 2 }]);
  expect(all.points.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const early = series("0050-01-01", "0051-12-31", "0050-03-01");
  const firstWithRows = early.points.find(({ count }) => count === 1);
  expect([early.bucket, firstWithRows?.date]).toEqual(["MONTH", "0050-03-01"]);
});
