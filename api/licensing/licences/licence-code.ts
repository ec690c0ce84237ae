import { randomBytes } from "node:crypto";
import { sandboxPrefix } from "#schema/sandbox-codes.ts";

const SUPPORT_CODE_CHARACTERS = 7;
const supportCodeShape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * Returns a new support code: `S-`, seven random characters and a checksum. Customers give it to staff by phone or
 * email to identify a licence; it can't be used in the add-in. A unique constraint rejects duplicates.
 */
export function generateSupportCode(): string {
  return `S-${generateCheckedCharacters(SUPPORT_CODE_CHARACTERS)}`;
}

/** Returns a typed or pasted support code in its stored form, or null if it can't be a support code. */
export function parseSupportCode(typed: string): string | null {
  // No support code is this long.
  if (typed.length > 40) return null;
  const characters = normaliseCharacters(typed);
  return supportCodeShape.test(characters) && hasValidChecksum(characters.slice(1)) ? `S-${characters.slice(1)}` : null;
}

const LICENCE_CODE_CHARACTERS = 29;
const licenceCodeShape = /^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/;

/**
 * Returns a new licence code: 29 random characters (145 bits) and a checksum, in six groups of five separated by dashes
 * (docs/domain.md#licence-code). Codes are stored, compared and shown only in this form. Never returns a sandbox code.
 */
export function generateLicenceCode(draw: (count: number) => string = generateCheckedCharacters): string {
  let code: string;
  do code = groupByFive(draw(LICENCE_CODE_CHARACTERS));
  while (code.startsWith(sandboxPrefix));
  return code;
}

/**
 * Formats a typed code as a licence code: converts it to upper case and to one width, replaces O with 0 and I and L with 1,
 * removes spaces and dashes of any kind, and groups by five. Doesn't check whether it is a code.
 */
export function normaliseLicenceCode(typed: string): string {
  return groupByFive(normaliseCharacters(typed));
}

/** Returns whether a normalised code has 30 characters and a correct checksum. */
export function isWellFormedLicenceCode(code: string): boolean {
  return licenceCodeShape.test(code) && hasValidChecksum(code.replaceAll("-", ""));
}

function groupByFive(characters: string): string {
  return characters.match(/.{1,5}/gsu)?.join("-") ?? "";
}

// Crockford's base32 has no I, L, O or U, so no two characters are confused when read aloud.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns `count` random characters of Crockford's base32 followed by their checksum. At most 30 characters in total.
 */
export function generateCheckedCharacters(count: number): string {
  // 256 is a multiple of 32, so every character is equally likely.
  const random = Array.from(randomBytes(count), (byte) => alphabet[byte % alphabet.length]).join("");
  return random + alphabet[multiplyByAlpha(computeRemainder(random))];
}

/**
 * Normalises typed characters: converts to upper case and to one width, replaces O with 0 and I and L with 1, and removes
 * spaces and dashes of any kind.
 */
function normaliseCharacters(typed: string): string {
  return removeSeparators(typed.normalize("NFKC")).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** Removes spaces, dashes of any kind, also of Japanese keyboards, and invisible characters from a typed code. */
export function removeSeparators(typed: string): string {
  return typed.replace(/[\s\p{Pd}\p{Cf}\u2212\u30FC_]/gu, "");
}

/**
 * Returns whether the last character is the checksum of the others. It detects any single wrong character and any two
 * swapped characters, adjacent or not, and 31 of 32 other mistakes.
 */
function hasValidChecksum(characters: string): boolean {
  return computeRemainder(characters) === 0;
}

/**
 * Evaluates the characters as a polynomial over GF(32) at the primitive element α; 0 for a valid code. Each position
 * has its own power of α (powers repeat after 31), which is why the checksum detects swapped characters.
 */
function computeRemainder(characters: string): number {
  let sum = 0;
  for (const character of characters) sum = multiplyByAlpha(sum) ^ alphabet.indexOf(character);
  return sum;
}

/** Multiplies by α in GF(32) with x⁵ + x² + 1. */
function multiplyByAlpha(value: number): number {
  const doubled = value << 1;
  return doubled & 0b100000 ? doubled ^ 0b100101 : doubled;
}
