import { expect, test } from "vitest";
import { generateSupportCode, parseSupportCode } from "#api/licensing/licences/licence-code.ts";

test("a support code is S- followed by eight unambiguous characters", () => {
  for (let n = 0; n < 500; n++) expect(generateSupportCode()).toMatch(/^S-[0-9A-HJKMNP-TV-Z]{8}$/);
});

test("a support code is recognised however it is typed", () => {
  const code = generateSupportCode();
  const bare = code.slice(2);
  const sloppy = bare.toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
  for (const typed of [code, ` ${code} `, `s ${bare}`, `S–${bare.slice(0, 4)} ${bare.slice(4)}`, `s-${sloppy}`])
    expect(parseSupportCode(typed)).toBe(code);
});

test("a support code is rejected if one character is wrong or two are swapped", () => {
  const code = generateSupportCode();
  for (let place = 2; place < code.length; place++) {
    const other = code[place] === "7" ? "8" : "7";
    expect(parseSupportCode(code.slice(0, place) + other + code.slice(place + 1))).toBeNull();
  }
  for (let place = 2; place < code.length - 1; place++) {
    const [one, next] = [code[place], code[place + 1]];
    if (one !== next)
      expect(parseSupportCode(`${code.slice(0, place)}${next}${one}${code.slice(place + 2)}`)).toBeNull();
  }
});

test("a support code is rejected with anything before or behind it, or with more than 40 characters", () => {
  const code = generateSupportCode();
  expect(parseSupportCode(code.padEnd(40))).toBe(code);
  for (const typed of [`S${code}`, `${code}0`, code.padEnd(41)]) expect(parseSupportCode(typed)).toBeNull();
});

test.each(["", "S-", "S-1234567", "X-00000000", "' or 1=1 --", "S-\u0000".padEnd(60, "0"), "ada@example.com"])(
  "a support code rejects %j",
  (typed) => expect(parseSupportCode(typed)).toBeNull(),
);
