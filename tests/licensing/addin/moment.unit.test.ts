import { expect, test } from "vitest";
import { moment } from "#schema/moment.ts";

const read = (value: unknown) => moment("Missing.").validateSync(value).toISOString();

test("reads times in UTC", () => {
  for (const [text, expected] of [
    ["2025-03-05T01:00:00Z", "2025-03-05T01:00:00.000Z"],
    ["2025-03-05T01:00:00.1234567Z", "2025-03-05T01:00:00.123Z"],
    ["2025-03-05T01:00:00.123456789012345Z", "2025-03-05T01:00:00.123Z"],
    ["2025-03-05T11:00:00+10", "2025-03-05T01:00:00.000Z"],
    ["2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"],
    ["2025-03-05T11:00:00+10:00", "2025-03-05T01:00:00.000Z"],
    ["2025-03-04T20:30:00-0430", "2025-03-05T01:00:00.000Z"],
    ["2025-03-05T01:00Z", "2025-03-05T01:00:00.000Z"],
    ["2025-03-05 01:00:00", "2025-03-05T01:00:00.000Z"],
    ["2025-03-05", "2025-03-05T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"],
  ])
    expect(read(text), text).toBe(expected);
});

test("rejects impossible dates and times, other notations and other types", () => {
  const impossible = ["2025-02-29", "2024-02-30", "2025-04-31", "2025-13-01", "2025-00-10", "0000-01-01"];
  const noTime = ["2025-03-05T24:00:00Z", "2025-03-05T01:60:00Z", "2025-03-05T01:00:60Z", "2025-03-05T01:00:00+25:00"];
  const beyond = ["+012025-03-05T01:00:00Z", "-000001-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00"];
  const otherwise = ["05/03/2025", "March 5, 2025", "2025", "1", "yesterday", "", "2025-03-05T01:00:00Zz"];
  for (const value of [...impossible, ...noTime, ...beyond, ...otherwise, 1_741_136_400_000, true, {}])
    expect(() => read(value), JSON.stringify(value)).toThrow(/Must be a date|Missing/);
});
