import { createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import type { SigningKey } from "./signing-keys.ts";

/** Generates a secret of 256 random bits in base64url. */
export function generateSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes a secret for storage (SHA-256, base64url). Sufficient for 256-bit secrets; passwords use Argon2. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Derives a secret from another one. The result is always the same, so it doesn't have to be stored. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

/** Returns the private part of a signing key, in base64url. */
export function readPrivatePart({ privateKey }: SigningKey): string {
  const { d } = privateKey.export({ format: "jwk" });
  if (!d) throw new Error("A signing key has no private part.");
  return d;
}

/** Derives bytes from the private part of a signing key (HKDF, SHA-256), which they don't reveal. */
export function deriveBytes(signingKey: SigningKey, purpose: string, length: number): Buffer {
  const secret = Buffer.from(readPrivatePart(signingKey), "base64url");
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, length));
}

/**
 * Hashes a text with a signing key, so that the result can't be computed from the text alone. Codes that must survive a
 * rotation of keys have to be compared with the hashes of all keys.
 * @param purpose separates the hashes of different tables
 */
export function hashWithKey(signingKey: SigningKey, purpose: string, text: string): string {
  const key = deriveBytes(signingKey, `keyed hashes: ${purpose}`, 32);
  return createHmac("sha256", key).update(text).digest("base64url");
}
