import fc from "fast-check";
import { expect, test } from "vitest";
import { parseByteRange } from "#api/platform/files/send-file.ts";

test.each([
  ["bytes=0-9", { start: 0, end: 9 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=95-500", { start: 95, end: 99 }],
  ["bytes=-500", { start: 0, end: 99 }],
  ["Bytes= 5-5 ", { start: 5, end: 5 }],
])("parses the range %s for a file of 100 bytes", (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
});

test.each(["bytes=100-", "bytes=100-200", "bytes=-0"])(
  "reports the range %s as unsatisfiable for a file of 100 bytes",
  (header) => {
    expect(parseByteRange(header, 100)).toBe("unsatisfiable");
  },
);

test.each([
  undefined,
  "",
  "bytes=-",
  "bytes=9-5",
  "bytes=a-b",
  "lines=0-9",
  "bytes=0-1,5-9",
  `bytes=${"9".repeat(20)}-`,
])("ignores the range %s", (header) => {
  expect(parseByteRange(header, 100)).toBeNull();
});

test("never returns a range outside the file", () => {
  const side = fc.option(fc.nat(), { nil: "" });
  fc.assert(
    fc.property(side, side, fc.nat({ max: 1_000 }), (first, last, size) => {
      const range = parseByteRange(`bytes=${first}-${last}`, size);
      if (range === null || range === "unsatisfiable") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
