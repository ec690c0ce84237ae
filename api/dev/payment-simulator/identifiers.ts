import { createHash, randomInt } from "node:crypto";

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function generateRandomString(length: number, letters = ALPHANUMERIC): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/** Creates an id with the provider's prefix for an object type, such as `cus`. */
export function createId(prefix: string): string {
  return `${prefix}_${generateRandomString(24)}`;
}

/** Returns the SHA-256 hash of a string in hex. */
export function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
