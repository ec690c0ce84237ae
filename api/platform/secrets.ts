import { createHash, createHmac, randomBytes } from "node:crypto";

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
