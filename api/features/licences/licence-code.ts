import { randomBytes } from "node:crypto";

// Crockford's base32: no I, L, O or U, so that nothing is mistaken for another when read aloud.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_CHARACTERS = 29;
const shape = /^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/;

/**
 * A new licence code: 29 random characters (145 bits) and a checksum, in six groups of five joined with
 * dashes (DOMAIN §3). This written form is the only one stored, compared and shown.
 */
export function newLicenceCode(): string {
  // 256 is a multiple of 32, so the remainder favours no character.
  const random = Array.from(randomBytes(RANDOM_CHARACTERS), (byte) => alphabet[byte % alphabet.length]).join("");
  return inGroups(random + alphabet[timesAlpha(remainderOf(random))]);
}

/**
 * What a person typed, as the code is written: upper case, O as 0, I and L as 1, spaces and dashes of any
 * kind dropped, in groups of five. Says nothing about whether it is a code.
 */
export function normaliseLicenceCode(typed: string): string {
  return inGroups(
    typed
      .replace(/[\s\p{Pd}\p{Cf}_]/gu, "")
      .toUpperCase()
      .replaceAll("O", "0")
      .replace(/[IL]/g, "1"),
  );
}

/**
 * Whether a normalised code has 30 characters and the right checksum. Any one wrong character and any
 * two exchanged characters, neighbours or not, are caught; other mistakes slip through once in 32.
 */
export function isWellFormedLicenceCode(code: string): boolean {
  return shape.test(code) && remainderOf(code.replaceAll("-", "")) === 0;
}

function inGroups(characters: string): string {
  return characters.match(/.{1,5}/gsu)?.join("-") ?? "";
}

/**
 * The characters as a polynomial over GF(32), evaluated at the primitive element α; 0 for a whole code.
 * Each place has its own power of α (they repeat after 31, a code has 30), hence what the checksum catches.
 */
function remainderOf(characters: string): number {
  let sum = 0;
  for (const character of characters) sum = timesAlpha(sum) ^ alphabet.indexOf(character);
  return sum;
}

/** Multiplies by α in GF(32) with x⁵ + x² + 1. */
function timesAlpha(value: number): number {
  const doubled = value << 1;
  return doubled & 0b100000 ? doubled ^ 0b100101 : doubled;
}
