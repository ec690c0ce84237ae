import { randomBytes } from "node:crypto";

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
 * Normalises typed characters: converts to upper case, replaces O with 0 and I and L with 1, and removes spaces and
 * dashes of any kind.
 */
export function normaliseCharacters(typed: string): string {
  return typed
    .replace(/[\s\p{Pd}\p{Cf}_]/gu, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

/**
 * Returns whether the last character is the checksum of the others. It detects any single wrong character and any two
 * swapped characters, adjacent or not, and 31 of 32 other mistakes.
 */
export function hasValidChecksum(characters: string): boolean {
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
