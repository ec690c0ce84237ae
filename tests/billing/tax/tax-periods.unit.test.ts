import { expect, test } from "vitest";
import { findPeriodLength, formatTaxPeriod, listTaxPeriods, readTaxPeriod } from "#web/billing/tax/tax-periods.ts";

/** 1 October 2026 in Brisbane, still 30 September in UTC. */
const now = new Date("2026-09-30T14:00:00Z");

test("tax periods start with the current one, in the seller's time zone", () => {
  expect(listTaxPeriods("quarter", now).slice(0, 2)).toEqual([
    { startDate: "2026-10-01", endDate: "2026-12-31" },
    { startDate: "2026-07-01", endDate: "2026-09-30" },
  ]);
  expect(listTaxPeriods("month", now)[0]).toEqual({ startDate: "2026-10-01", endDate: "2026-10-31" });
  expect(listTaxPeriods("quarter", new Date("2026-09-30T13:59:59Z"))[0]?.startDate).toBe("2026-07-01");
});

test("tax periods include the last day of February in leap years, and years from July to June", () => {
  const months = listTaxPeriods("month", new Date("2024-03-10T00:00:00Z"));
  expect(months.find(({ startDate }) => startDate === "2024-02-01")?.endDate).toBe("2024-02-29");
  const findYear = (at: string) => listTaxPeriods("year", new Date(at))[0];
  expect(findYear("2026-06-30T13:59:59Z")).toEqual({ startDate: "2025-07-01", endDate: "2026-06-30" });
  expect(findYear("2026-06-30T14:00:00Z")).toEqual({ startDate: "2026-07-01", endDate: "2027-06-30" });
});

test("tax periods are found and named by their days, and fall back to the current quarter", () => {
  for (const [startDate, endDate, length, text] of [
    ["2026-10-01", "2026-12-31", "quarter", "Oct–Dec 2026"],
    ["2026-11-01", "2026-11-30", "month", "Nov 2026"],
    ["2026-07-01", "2027-06-30", "year", "Jul 2026–Jun 2027"],
    ["2026-11-02", "2026-11-30", null, "2 Nov 2026 to 30 Nov 2026"],
  ] as const) {
    const period = { startDate, endDate };
    expect([findPeriodLength(period), formatTaxPeriod(period)]).toEqual([length, text]);
  }
  const impossible = ["start=2026-02-01&end=2026-02-31", "start=2026-13-01&end=2026-13-31"];
  for (const address of ["", "start=2026-10-01", "start=x&end=y", "start=2026-12-01&end=2026-11-30", ...impossible])
    expect(readTaxPeriod(new URLSearchParams(address), now).startDate).toBe("2026-10-01");
});
