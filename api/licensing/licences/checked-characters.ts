import { randomBytes } from "node:crypto";

// Crockford's base32: no I, L, O or U, so that nothing is mistaken for another when read aloud.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `count` random characters of Crockford's base32 and the checksum that belongs to them. At most 30 in all. */
export function newCheckedCharacters(count: number): string {
  // 256 is a multiple of 32, so the remainder favours no character.
  const random = Array.from(randomBytes(count), (byte) => alphabet[byte % alphabet.length]).join("");
  return random + alphabet[timesAlpha(remainderOf(random))];
}

/** What a person typed in these characters: upper case, O as 0, I and L as 1, spaces and dashes of any kind dropped. */
export function readTypedCharacters(typed: string): string {
  return typed
    .replace(/[\s\p{Pd}\p{Cf}_]/gu, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

/**
 * Whether the last character is the checksum of the others. Any one wrong character and any two exchanged
 * characters, neighbours or not, are caught; other mistakes slip through once in 32.
 */
export function isChecked(characters: string): boolean {
  return remainderOf(characters) === 0;
}

/**
 * The characters as a polynomial over GF(32), evaluated at the primitive element α; 0 for a whole code.
 * Each place has its own power of α (they repeat after 31), hence what the checksum catches.
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
