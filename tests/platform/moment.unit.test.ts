import { object } from "yup";
import { expect, test } from "vitest";
import { moment } from "#schema/rules/moment.ts";

const rule = object({ at: moment("Required.") });
const read = (at: unknown) => {
  try {
    return rule.validateSync({ at }, { strict: false }).at.toISOString();
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ["2025-03-05T01:02:03.456Z", "2025-03-05T01:02:03.456Z"],
  ["2025-03-05T01:02:03Z", "2025-03-05T01:02:03.000Z"],
  ["2025-03-05T01:02Z", "2025-03-05T01:02:00.000Z"],
  ["2025-03-05", "2025-03-05T00:00:00.000Z"],
  ["2025-03-05 23:59:59", "2025-03-05T23:59:59.000Z"],
  ["2025-03-05T01:02:03.1234567Z", "2025-03-05T01:02:03.123Z"],
  ["2025-03-05T11:00:00+10:00", "2025-03-05T01:00:00.000Z"],
  ["2025-03-05T00:00:00-0330", "2025-03-05T03:30:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
])("%s is the moment it says, in UTC", (text, utc) => {
  expect(read(text)).toBe(utc);
});

test.each([
  "2025-02-31",
  "2025-02-29T00:00:00Z",
  "2025-13-01",
  "2025-00-10",
  "2025-03-05T24:00:00Z",
  "2025-03-05T01:60:00Z",
  "2025-03-05T01:02:03+15:00",
  "2025-03-05T01:02:03+10:75",
  "05/03/2025",
  "tomorrow",
  "+275760-09-13",
  "0000-00-00",
  1_741_136_523_000,
  true,
  {},
])("%j is no moment", (value) => {
  expect(read(value)).toBe("Must be a date.");
});

test.each([undefined, null, ""])("%j is missing", (value) => {
  expect(read(value)).toMatch(/Required|Must be a date/);
});
