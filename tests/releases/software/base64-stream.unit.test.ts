import fc from "fast-check";
import { expect, test } from "vitest";
import { createBase64Stream } from "#api/releases/software/upload/base64-stream.ts";

const decoded = (pieces: readonly string[]): Buffer | null => {
  const stream = createBase64Stream();
  const parts = [...pieces.map((piece) => stream.push(piece)), stream.end()];
  return parts.includes(null) ? null : Buffer.concat(parts as Buffer[]);
};
const cut = (text: string, at: number) => text.match(new RegExp(`[^]{1,${at}}`, "g")) ?? [];

test("bytes come back whole, however the text is cut, with and without a data URL's head", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      (bytes, at, isUrl) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(decoded(cut(isUrl ? `data:application/zip;base64,${text}` : text, at))).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

test("line breaks, missing padding and the other alphabet are taken", () => {
  expect(decoded(["TV\r\npa"])).toEqual(Buffer.from("MZZ"));
  expect(decoded(["TVo"])).toEqual(Buffer.from("MZ"));
  expect(decoded(["-_-_"])).toEqual(Buffer.from("+/+/", "base64"));
});

test.each([
  ["T"],
  ["TVo=TVo="],
  ["TVo==="],
  ["TVo!"],
  ["data:,MZ"],
  ["data:text/plain,TVo="],
  [`data:${"x".repeat(300)};base64,TVo=`],
])("%j is refused", (text) => {
  for (const at of [1, 3, 500]) expect(decoded(cut(text, at))).toBeNull();
});
