import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SigningKey, SigningKeys } from "./signing-keys.ts";

const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret that has to be decrypted later, such as the secret of an authenticator app. Uses AES-256-GCM with a key
 * derived from the current signing key (decision 0016).
 * @param boundTo ID of the row's owner, required to decrypt the secret
 * @returns `v1.<kid>.<base64url>`
 */
export function sealSecret(keys: Pick<SigningKeys, "current">, secret: string, boundTo: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", encryptionKey(keys.current), iv).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${buildPrefix(keys.current)}${sealed.toString("base64url")}`;
}

/** Decrypts a secret. Returns null if its key is missing, or if the secret was modified or belongs to another owner. */
export function openSecret(keys: Pick<SigningKeys, "find">, sealed: string, boundTo: string): string | null {
  const [version, encodedKid = "", body = ""] = sealed.split(".");
  const key = version === VERSION ? keys.find(Buffer.from(encodedKid, "base64url").toString()) : null;
  if (!key) return null;
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", encryptionKey(key), bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** Returns the prefix of all secrets encrypted with the current key. */
export function getCurrentSealPrefix(keys: Pick<SigningKeys, "current">): string {
  return buildPrefix(keys.current);
}

// A kid may contain any character, including dots.
const buildPrefix = (key: SigningKey) => `${VERSION}.${Buffer.from(key.kid).toString("base64url")}.`;

function encryptionKey(key: SigningKey): Uint8Array {
  const secret = key.privateKey.export({ format: "jwk" }).d;
  if (!secret) throw new Error("A signing key has no private part.");
  return new Uint8Array(hkdfSync("sha256", Buffer.from(secret, "base64url"), "", "sealed secrets", 32));
}
