import { expect, test } from "vitest";
import { date, dateAndTime, lastSeen, utcDateAndTime } from "#web/ui/moments.ts";

test.each([
  ["2026-01-05T00:09:59.000Z", "05 Jan 2026 00:09"],
  ["2026-06-30T12:00:00.000Z", "30 Jun 2026 12:00"],
  ["2026-09-03T14:07:00.000Z", "03 Sep 2026 14:07"],
  ["2026-12-31T23:59:00.000+10:00", "31 Dec 2026 13:59"],
])("%s was seen at %s UTC", (iso, shown) => {
  expect(lastSeen(iso)).toBe(shown);
});

test.each([
  ["2026-01-05T00:09:59.000Z", "05/01/2026 00:09 UTC"],
  ["2026-12-31T23:59:00.000+10:00", "31/12/2026 13:59 UTC"],
])("%s is written %s", (iso, shown) => {
  expect(utcDateAndTime(iso)).toBe(shown);
});

test("dates are written day first, times with 24 hours, in the reader's zone", () => {
  const local = new Date(2026, 8, 3, 0, 5).toISOString();
  expect(date(local)).toBe("03/09/2026");
  expect(dateAndTime(local)).toBe("03/09/2026 00:05");
});
