import fc from "fast-check";
import { expect, test } from "vitest";
import { parseByteRange } from "#api/platform/files/send-file.ts";
import { createBase64Stream } from "#api/releases/software/upload/receive-upload.ts";
import { findPathError, toPathKey } from "#api/releases/software/upload/safe-path.ts";

const decode = (pieces: readonly string[]): Buffer | null => {
  const stream = createBase64Stream();
  const parts = [...pieces.map((piece) => stream.push(piece)), stream.end()];
  return parts.includes(null) ? null : Buffer.concat(parts as Buffer[]);
};
const split = (text: string, at: number) => text.match(new RegExp(`[^]{1,${at}}`, "g")) ?? [];

test("decodes text split at any position, with or without a data URL prefix", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      (bytes, at, isUrl) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(decode(split(isUrl ? `data:application/zip;base64,${text}` : text, at))).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

test("accepts line breaks, missing padding and the URL-safe alphabet", () => {
  expect(decode(["TV\r\npa"])).toEqual(Buffer.from("MZZ"));
  expect(decode(["TVo"])).toEqual(Buffer.from("MZ"));
  expect(decode(["-_-_"])).toEqual(Buffer.from("+/+/", "base64"));
});

test("rejects other text", () => {
  const long = `data:${"x".repeat(300)};base64,TVo=`;
  for (const text of ["T", "TVo=TVo=", "TVo===", "TVo!", "data:,MZ", "data:text/plain,TVo=", long])
    for (const at of [1, 3, 500]) expect([text, decode(split(text, at))]).toEqual([text, null]);
});

test.each([
  ["bytes=0-9", { start: 0, end: 9 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=95-500", { start: 95, end: 99 }],
  ["bytes=-500", { start: 0, end: 99 }],
  ["Bytes= 5-5 ", { start: 5, end: 5 }],
  ...["bytes=100-", "bytes=100-200", "bytes=-0"].map((header) => [header, "unsatisfiable"] as const),
  ...[undefined, "", "bytes=-", "bytes=9-5", "bytes=a-b"].map((header) => [header, null] as const),
  ...["lines=0-9", "bytes=0-1,5-9", `bytes=${"9".repeat(20)}-`].map((header) => [header, null] as const),
] as const)("parses the range %s for a file of 100 bytes", (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
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

test("rejects a path with a key that is too long, even if the path itself is short enough", () => {
  // The lower case of İ has two characters.
  const path = `${"İ".repeat(90)}/${"İ".repeat(90)}`;
  expect([path.length, toPathKey(path).length]).toEqual([181, 361]);
  expect(findPathError(path)).toBe("has a path that is too long");
  expect(findPathError(path.replaceAll("İ", "I"))).toBeNull();
});
