import { randomInt } from "node:crypto";

/** Consonants alone, so that no word comes about, and no digits to take for letters (RFC 8628 §6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const shape = new RegExp(`^[${alphabet}]{${LENGTH}}$`);

/** A new user code as it is stored, without its dash: one of 20⁸. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** A typed user code as it is stored: any case, spaces and dashes of any kind dropped. Null when it can be none. */
export function readUserCode(typed: string): string | null {
  const code = typed.replace(/[\s\p{Pd}\p{Cf}_]/gu, "").toUpperCase();
  return shape.test(code) ? code : null;
}

/** A user code as people see it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}
