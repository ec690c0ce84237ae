import { expect, test } from "vitest";
import { groupByDayOrWeek, createPeriod } from "#api/staff/dashboard/dashboard-period.ts";

test("starts at midnight in the vendor's time zone", () => {
  const period = createPeriod(new Date("2026-11-19T16:32:00Z"), 30);
  expect(period).toMatchObject({ today: "2026-11-20", firstDay: "2026-10-22" });
  expect(period.from.toISOString()).toBe("2026-10-21T14:00:00.000Z");
});

test("covers whole days across a daylight saving change", () => {
  const period = createPeriod(new Date("2026-10-05T00:00:00Z"), 30, "Australia/Sydney");
  expect(period.from.toISOString()).toBe("2026-09-05T14:00:00.000Z");
  expect(period.before.toISOString()).toBe("2026-08-06T14:00:00.000Z");
  const days = groupByDayOrWeek(period, ["count"], [{ date: "2026-10-04", count: 3 }]);
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toEqual([
    { date: "2026-10-04", count: 3 },
    { date: "2026-10-05", count: 0 },
  ]);
  expect(createPeriod(new Date("2026-10-05T00:00:00Z"), 30, "Australia/Sydney").firstDay).toBe("2026-09-06");
});
