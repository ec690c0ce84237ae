import { expect, test } from "vitest";
import { formatCount, formatFileSize } from "#schema/numbers.ts";

test.each([
  [0, "0 kB"],
  [1, "1 kB"],
  [1_499, "1 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [1_284_551, "1.3 MB"],
  [25_600_000, "25.6 MB"],
])("formats %i bytes as %s", (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});

test("formats a number with its noun", () => {
  expect([0, 1, 1_204].map((count) => formatCount(count, "day"))).toEqual(["0 days", "1 day", "1,204 days"]);
});
