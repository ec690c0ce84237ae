import { createSecretKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import type { Config } from "#api/platform/config.ts";
import { getKeyFile, readOrGenerateKeys } from "./key-files.ts";
import { deriveBytes } from "./secrets.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** Length of an AES-256 key, in bytes. */
export const KEY_BYTES = 32;

/** An AES-256 key for secrets in the database. */
export interface EncryptionKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The keys for secrets in the database. The first one encrypts; all of them decrypt. */
export interface EncryptionKeys {
  readonly current: EncryptionKey;
  readonly all: readonly EncryptionKey[];
  /**
   * Keys derived from signing keys. They only decrypt secrets that were stored before the encryption ring existed, until
   * a sweep encrypts those again.
   */
  readonly derived: readonly EncryptionKey[];
}

/** A stored encryption key (RFC 7517, `kty` "oct"). */
export interface EncryptionJwk {
  readonly kty: "oct";
  readonly kid: string;
  /** The key in base64url. */
  readonly k: string;
  readonly use?: "enc";
  readonly alg?: "A256GCM";
}

/**
 * Loads the keys from `ENCRYPTION_KEYS`, or from the data folder, where they are generated on first use.
 * @param signingKeys used only for {@link EncryptionKeys.derived}
 * @throws Error if the stored file isn't a set of encryption keys
 */
export function loadEncryptionKeys(
  config: Pick<Config, "encryptionKeys" | "dataDir">,
  signingKeys: SigningKeys,
): EncryptionKeys {
  const json =
    config.encryptionKeys ?? readOrGenerateKeys(getKeyFile(config.dataDir, "encryption"), generateEncryptionJwk);
  const { keys } = JSON.parse(json) as { keys: EncryptionJwk[] };
  return toEncryptionKeys(keys, signingKeys);
}

/**
 * Creates encryption keys from JWKs. The first one encrypts.
 * @throws Error if there are none, or one doesn't have 256 bits
 */
export function toEncryptionKeys(jwks: readonly EncryptionJwk[], signingKeys?: SigningKeys): EncryptionKeys {
  const all = jwks.map(({ kid, k }): EncryptionKey => {
    const bytes = Buffer.from(k, "base64url");
    if (bytes.length !== KEY_BYTES) throw new Error(`The encryption key ${kid} must have ${KEY_BYTES} bytes.`);
    return { kid, key: createSecretKey(bytes) };
  });
  const current = all[0];
  if (!current) throw new Error("ENCRYPTION_KEYS contains no key.");
  return { current, all, derived: signingKeys ? deriveFormerKeys(signingKeys) : [] };
}

/** Generates an AES-256 key as a JWK, for `ENCRYPTION_KEYS`. */
export function generateEncryptionJwk(): EncryptionJwk {
  return { kty: "oct", kid: randomUUID(), k: randomBytes(KEY_BYTES).toString("base64url"), use: "enc", alg: "A256GCM" };
}

function deriveFormerKeys(signingKeys: SigningKeys): EncryptionKey[] {
  return signingKeys.all.map((signingKey) => ({
    kid: signingKey.kid,
    key: createSecretKey(deriveBytes(signingKey, "sealed secrets", KEY_BYTES)),
  }));
}
