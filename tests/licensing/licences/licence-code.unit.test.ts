import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isWellFormedLicenceCode,
  generateLicenceCode,
  normaliseLicenceCode,
  generateSupportCode,
  parseSupportCode,
} from "#api/licensing/licences/licence-code.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const code = fc.constant(null).map(() => generateLicenceCode());
/** Position of one of the 30 characters in the written form. */
const place = fc.integer({ min: 0, max: 29 }).map((index) => index + Math.floor(index / 5));

const put = (text: string, at: number, character: string) => text.slice(0, at) + character + text.slice(at + 1);

test("a licence code has six groups of five characters without I, L, O and U", () => {
  for (let n = 0; n < 1_000; n++) {
    const issued = generateLicenceCode();
    expect(issued).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){5}$/);
    expect(isWellFormedLicenceCode(issued)).toBe(true);
  }
});

test("a licence code never repeats, and uses every character equally often at every random position", () => {
  const codes = Array.from({ length: 6_400 }, () => generateLicenceCode());
  expect(new Set(codes).size).toBe(codes.length);
  for (const at of [0, 12, 33]) {
    const counts = new Map<string, number>();
    for (const one of codes) counts.set(one.charAt(at), (counts.get(one.charAt(at)) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // The expected count is 200 with a standard deviation of 14, so a difference of seven deviations can't be chance.
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(98);
  }
});

test("a licence code is rejected with anything before or behind it, or missing", () => {
  const issued = generateLicenceCode();
  for (const typed of [`0${issued}`, `${issued}0`, `00000-${issued}`, `${issued}-00000`, issued.slice(6), ""])
    expect(isWellFormedLicenceCode(typed)).toBe(false);
});

test("a licence code is rejected if any one character is wrong", () => {
  fc.assert(
    fc.property(code, place, fc.constantFrom(...alphabet.split("")), (issued, at, character) => {
      fc.pre(issued[at] !== character);
      expect(isWellFormedLicenceCode(put(issued, at, character))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("a licence code is rejected if any two characters are swapped, adjacent or not", () => {
  fc.assert(
    fc.property(code, place, place, (issued, one, other) => {
      const [a, b] = [issued.charAt(one), issued.charAt(other)];
      fc.pre(a !== b);
      expect(isWellFormedLicenceCode(put(put(issued, one, b), other, a))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("a licence code passes the checksum about once in 32 random attempts", () => {
  let passed = 0;
  const invented = () =>
    normaliseLicenceCode(Array.from({ length: 30 }, () => alphabet[Math.trunc(Math.random() * 32)]).join(""));
  for (let n = 0; n < 3_200; n++) if (isWellFormedLicenceCode(invented())) passed++;
  expect(passed).toBeGreaterThan(40);
  expect(passed).toBeLessThan(180);
});

test("a typed licence code is accepted in any case and width, with O for 0, I and L for 1, and any spaces and dashes", () => {
  const sloppy = fc.record({
    lower: fc.boolean(),
    wide: fc.boolean(),
    zero: fc.constantFrom("0", "O", "o"),
    one: fc.constantFrom("1", "I", "i", "L", "l"),
    dash: fc.constantFrom("", "-", " ", " - ", "–", "−", "ー", "\u00a0", "\u200b", "\t"),
  });
  fc.assert(
    fc.property(code, sloppy, (issued, { lower, wide, zero, one, dash }) => {
      const cased = lower ? issued.toLowerCase() : issued;
      const typed = ` ${cased.replaceAll("0", zero).replaceAll("1", one).replaceAll("-", dash)}\n`;
      // An input method in full-width mode types letters, digits and the dash so.
      const widened = typed.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
      for (const one of [wide ? widened : typed, issued]) expect(normaliseLicenceCode(one)).toBe(issued);
    }),
  );
  expect(normaliseLicenceCode("")).toBe("");
});

test("a typed licence code keeps known checksums, so that issued codes remain valid", () => {
  expect(isWellFormedLicenceCode("00000-00000-00000-00000-00000-00000")).toBe(true);
  expect(isWellFormedLicenceCode("ABCDE-FGHJK-MNPQR-STVWX-YZ012-3456G")).toBe(false);
  const whole = alphabet
    .split("")
    .filter((last) => isWellFormedLicenceCode(`ABCDE-FGHJK-MNPQR-STVWX-YZ012-3456${last}`));
  expect(whole).toEqual(["W"]);
});

test("a support code is S- followed by eight unambiguous characters, and recognised however it is typed", () => {
  const code = generateSupportCode();
  expect(code).toMatch(/^S-[0-9A-HJKMNP-TV-Z]{8}$/);
  const bare = code.slice(2);
  const sloppy = bare.toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
  for (const typed of [code, ` ${code} `, `s ${bare}`, `S–${bare.slice(0, 4)} ${bare.slice(4)}`, `s-${sloppy}`])
    expect(parseSupportCode(typed)).toBe(code);
});

test("a support code is rejected if a character is wrong, with anything before or behind it, and if it is too long", () => {
  const code = generateSupportCode();
  for (let place = 2; place < code.length; place++)
    expect(parseSupportCode(put(code, place, code[place] === "7" ? "8" : "7"))).toBeNull();
  expect(parseSupportCode(code.padEnd(40))).toBe(code);
  for (const typed of [`S${code}`, `${code}0`, code.padEnd(41)]) expect(parseSupportCode(typed)).toBeNull();
});

const wrong = ["", "S-", "S-1234567", "X-00000000", "' or 1=1 --", "S-\u0000".padEnd(60, "0"), "ada@example.com"];
test.each(wrong)("a support code rejects %j", (typed) => expect(parseSupportCode(typed)).toBeNull());
