import fc from "fast-check";
import { expect, test } from "vitest";
import { createBase64Stream } from "#api/releases/software/upload/base64-stream.ts";

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

test.each([
  ["T"],
  ["TVo=TVo="],
  ["TVo==="],
  ["TVo!"],
  ["data:,MZ"],
  ["data:text/plain,TVo="],
  [`data:${"x".repeat(300)};base64,TVo=`],
])("rejects %j", (text) => {
  for (const at of [1, 3, 500]) expect(decode(split(text, at))).toBeNull();
});
