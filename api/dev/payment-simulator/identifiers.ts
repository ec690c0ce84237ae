import { createHash, randomInt } from "node:crypto";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random letters and digits. */
export function randomLetters(length: number, letters = LETTERS): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/** A new id with the provider's prefix of its kind: `cus_…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomLetters(24)}`;
}

/** SHA-256 in hex. */
export function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
