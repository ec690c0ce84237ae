import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SigningKeys } from "./signing-keys.ts";

/** Generates a secret of 256 random bits in base64url. */
export function generateSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes a secret for storage (SHA-256, base64url). Sufficient for 256-bit secrets; passwords use Argon2. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Derives a secret from another one. The result is always the same, so it doesn't have to be stored. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

/**
 * Hashes a short code for storage. Uses an HMAC with a key derived from the current signing key, so the codes can't be
 * recovered from the table alone. Don't use it for codes that must survive a key rotation.
 * @param purpose separates the codes of different tables
 */
export function hashWithKey(keys: Pick<SigningKeys, "current">, purpose: string, text: string): string {
  const secret = keys.current.privateKey.export({ format: "jwk" }).d;
  if (!secret) throw new Error("A signing key has no private part.");
  const key = hkdfSync("sha256", Buffer.from(secret, "base64url"), "", `keyed hashes: ${purpose}`, 32);
  return createHmac("sha256", Buffer.from(key)).update(text).digest("base64url");
}
