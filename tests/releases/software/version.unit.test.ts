import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";

test.each([
  ["7.2.0", [7, 2, 0, 0]],
  ["7", [7, 0, 0, 0]],
  ["7.2", [7, 2, 0, 0]],
  ["7.2.0.65535", [7, 2, 0, 65_535]],
  ["007.02", [7, 2, 0, 0]],
  [" 7.2.0 ", [7, 2, 0, 0]],
  ["7.2.0-beta.1", [7, 2, 0, 0]],
  ["7.2.0+build.99999999", [7, 2, 0, 0]],
  ["7.2.0rc1", [7, 2, 0, 0]],
  ["7.2.", [7, 2, 0, 0]],
])("reads the leading numbers of %j", (text, parts) => {
  expect(parseVersion(text)).toEqual(parts);
});

test.each([
  "",
  " ",
  "beta",
  "v7.2",
  ".7",
  "-7.2",
  "7.2.0.1.5",
  "7.2.0.65536",
  "99999999999999999999",
  "٧.٢",
  "\u00007.2",
])("returns null for %j", (text) => {
  expect(parseVersion(text)).toBeNull();
});

test.each([
  ["7.2", "7.2.0.0", 0],
  ["7.10", "7.9", 1],
  ["7.2.0", "7.2.0.1", -1],
  ["10", "9.9.9.9", 1],
  ["7.2.0-beta.1", "7.2.0", 0],
])("compares %s with %s", (one, other, sign) => {
  expect(Math.sign(compareVersions(parseVersion(one) as number[], parseVersion(other) as number[]))).toBe(sign);
});

test("reads back every formatted version, and handles any text without an error", () => {
  const part = fc.integer({ min: 0, max: 65_535 });
  fc.assert(
    fc.property(fc.tuple(part, part, part, part), (parts) => {
      expect(parseVersion(formatVersion(parts))).toEqual(parts);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 50 }), (text) => {
      const parts = parseVersion(text);
      expect(parts === null || (parts.length === 4 && parts.every((one) => one >= 0 && one <= 65_535))).toBe(true);
    }),
  );
});
