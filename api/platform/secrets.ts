import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SigningKeys } from "./signing-keys.ts";

/** A new secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a secret: SHA-256, base64url. Enough for 256-bit secrets; passwords go through Argon2. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** A secret derived from another, so that asking twice gives the same one without storing it. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

/**
 * What is stored of a short code: an HMAC under a key derived from the current signing key, so that a copy of the
 * table alone does not tell the code. Not for what must outlive a change of that key.
 * @param purpose keeps the codes of one table from passing in another
 */
export function keyedHash(keys: Pick<SigningKeys, "current">, purpose: string, text: string): string {
  const secret = keys.current.privateKey.export({ format: "jwk" }).d;
  if (!secret) throw new Error("A signing key has no private part.");
  const key = hkdfSync("sha256", Buffer.from(secret, "base64url"), "", `keyed hashes: ${purpose}`, 32);
  return createHmac("sha256", Buffer.from(key)).update(text).digest("base64url");
}
