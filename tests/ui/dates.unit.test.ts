import { expect, test } from "vitest";
import {
  formatDate,
  formatDateTime,
  formatDateTimeWithSeconds,
  formatDay,
  formatDayAndMonth,
  formatExpiryDate,
  formatLastSeen,
  formatMonth,
  formatTableDate,
  formatTableDay,
  formatTime,
  formatWeekday,
} from "#schema/dates.ts";

const moment = "2026-11-23T02:36:05.000Z";

test("a point in time is shown in the given time zone", () => {
  const zones = {
    "Australia/Brisbane": "23 Nov 2026, 12:36 pm AEST",
    "Australia/Sydney": "23 Nov 2026, 1:36 pm AEDT",
    "Australia/Perth": "23 Nov 2026, 10:36 am AWST",
    "America/New_York": "22 Nov 2026, 9:36 pm GMT-5",
    "Asia/Kolkata": "23 Nov 2026, 8:06 am GMT+5:30",
    UTC: "23 Nov 2026, 2:36 am UTC",
  };
  const shown = Object.keys(zones).map((timeZone) => [timeZone, formatDateTime(moment, timeZone)]);
  expect(Object.fromEntries(shown)).toEqual(zones);
});

test("a point in time has a format for each use", () => {
  const zone = "Australia/Brisbane";
  expect([formatDate(moment, zone), formatTime(moment, zone)]).toEqual(["23 Nov 2026", "12:36 pm AEST"]);
  expect(formatDateTimeWithSeconds(moment, zone)).toBe("23 Nov 2026, 12:36:05 pm AEST");
  expect([formatTableDate(moment, zone), formatExpiryDate(moment, zone)]).toEqual(["23/11/2026", "23 November, 2026"]);
  expect(formatWeekday(moment, zone)).toBe("Monday 23 November 2026");
  expect(formatLastSeen(moment)).toBe("23 Nov 2026 02:36 UTC");
});

test("a point in time that ends a day is shown as that day in every time zone", () => {
  const end = "2027-06-30T23:59:59.999Z";
  for (const format of [formatDate, formatDateTime, formatTableDate, formatExpiryDate])
    expect(format(end, "Australia/Brisbane")).toMatch(/^30(\/06\/| June, | Jun )2027$/);
});

test("a point in time is shown in the user's time zone by default", () => {
  const local = new Date(2026, 8, 3, 0, 5);
  expect([formatDate(local), formatTableDate(local)]).toEqual(["3 Sep 2026", "03/09/2026"]);
  expect(formatDateTime(local)).toMatch(/^3 Sep 2026, 12:05 am \S+$/);
});

test("shortens every month alike in every browser", () => {
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const shown = months.map((_, index) => formatDate(new Date(Date.UTC(2026, index, 5, 12)), "UTC"));
  expect(shown).toEqual(months.map((month) => `5 ${month} 2026`));
});

test("shows a calendar day as the same day in every time zone", () => {
  expect([formatDay("2026-11-05"), formatDayAndMonth("2026-11-05")]).toEqual(["5 Nov 2026", "5 Nov"]);
  expect([formatMonth("2026-11-05"), formatTableDay("2026-11-05")]).toEqual(["Nov 2026", "Thu 05/11/2026"]);
});
