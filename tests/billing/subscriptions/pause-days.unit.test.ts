import { expect, test } from "vitest";
import { getPauseDays } from "#schema/days.ts";

test.each([
  // 1 May in Brisbane, still 30 April in UTC.
  ["2026-04-30T14:00:00Z", "2026-05-02", "2026-08-01"],
  ["2026-04-30T13:59:59Z", "2026-05-01", "2026-07-30"],
  ["2026-11-30T00:00:00Z", "2026-12-01", "2027-02-28"],
  ["2027-11-30T00:00:00Z", "2027-12-01", "2028-02-29"],
  ["2026-12-31T00:00:00Z", "2027-01-01", "2027-03-31"],
])("a pause that starts at %s ends from %s, at most three months later on %s", (now, first, last) => {
  expect(getPauseDays(new Date(now))).toEqual({ first, last });
});
