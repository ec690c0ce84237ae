import { describe, expect, test } from "vitest";
import { buildSeries } from "#api/staff/reports/report-series.ts";

const DAY = 86_400_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;
const counts = (...dates: string[]) => dates.map((date) => ({ day: day(date), count: 1 }));
const series = (from: string, to: string, ...dates: string[]) => buildSeries(counts(...dates), day(from), day(to));
const sumPoints = ({ points }: ReturnType<typeof buildSeries>) => points.reduce((sum, { count }) => sum + count, 0);

describe("report series", () => {
  test("has a point per day for up to 100 days, including empty ones", () => {
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

  test("has a point per week, starting on Monday, for more than 100 days", () => {
    const { bucket, points } = series("2026-01-01", "2026-04-11", "2026-01-01", "2026-01-04", "2026-01-05");
    expect(bucket).toBe("WEEK");
    expect(points.slice(0, 2)).toEqual([
      { date: "2025-12-29", count: 2 },
      { date: "2026-01-05", count: 1 },
    ]);
    expect(points).toHaveLength(15);
  });

  test("has a point per month for more than 100 weeks, and per year for more than 100 months", () => {
    const months = series("2020-01-15", "2023-12-31", "2020-01-31", "2020-02-29", "2023-12-31");
    expect(months.bucket).toBe("MONTH");
    expect(months.points.slice(0, 2)).toEqual([
      { date: "2020-01-01", count: 1 },
      { date: "2020-02-01", count: 1 },
    ]);
    expect(months.points.at(-1)).toEqual({ date: "2023-12-01", count: 1 });
    const years = series("2000-01-01", "2099-12-31", "2001-05-05", "2026-05-05");
    expect(years.bucket).toBe("YEAR");
    expect(years.points).toHaveLength(26);
    expect(years.points[0]).toEqual({ date: "2001-01-01", count: 1 });
  });

  test("covers only the days with rows in an unlimited range", () => {
    const cut = series("0001-01-01", "9999-12-31", "2026-05-05", "2026-05-07");
    expect(cut.bucket).toBe("DAY");
    expect(cut.points.map(({ count }) => count)).toEqual([1, 0, 1]);
    expect(series("0001-01-01", "9999-12-31").points).toEqual([]);
  });

  test("has at most 100 points, with earlier rows added to the first", () => {
    const all = series("0001-01-01", "9999-12-31", "0001-01-01", "1500-06-01", "2026-05-05");
    expect(all.points).toHaveLength(100);
    expect(all.points[0]).toEqual({ date: "1927-01-01", count: 2 });
    expect(sumPoints(all)).toBe(3);
    const early = series("0050-01-01", "0051-12-31", "0050-03-01");
    const firstWithRows = early.points.find(({ count }) => count === 1);
    expect([early.bucket, firstWithRows?.date]).toEqual(["MONTH", "0050-03-01"]);
  });
});
