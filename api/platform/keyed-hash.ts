import { createHmac, hkdfSync } from "node:crypto";
import type { SigningKeys } from "./signing-keys.ts";

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
