import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import type { Config } from "#api/platform/config.ts";
import { getKeyFile, readOrGenerateKeys } from "./key-files.ts";
import { generateSigningJwk, type PublicJwk, toPublicJwk } from "./signing-keys.ts";

/** A key that signs update manifests. Its private part may be kept offline. */
export interface ReleaseKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** Null if the key is kept offline. */
  readonly privateKey: KeyObject | null;
}

/** The keys for update manifests. The first one signs; all of them verify (decision 0023). */
export interface ReleaseKeys {
  /** The signing key of this server; null if manifests are signed offline. */
  readonly signer: (ReleaseKey & { readonly privateKey: KeyObject }) | null;
  /** Returns the key with an ID, or null if it is unknown. */
  find(kid: unknown): ReleaseKey | null;
  /** Returns the public keys as a JWK set (RFC 7517). */
  jwks(): { keys: PublicJwk[] };
}

/**
 * Loads the keys from `RELEASE_KEYS`, or from the data folder, where they are generated on first use. If the first key has
 * no private part, manifests are signed offline.
 * @throws Error if the stored file isn't a JWK set
 */
export function loadReleaseKeys(config: Pick<Config, "releaseKeys" | "dataDir">): ReleaseKeys {
  const json = config.releaseKeys ?? readOrGenerateKeys(getKeyFile(config.dataDir, "release"), generateSigningJwk);
  const { keys } = JSON.parse(json) as { keys: (JsonWebKey & { kid: string })[] };
  return toReleaseKeys(keys);
}

/**
 * Creates release keys from private or public JWKs.
 * @throws Error if there are none
 */
export function toReleaseKeys(jwks: readonly (JsonWebKey & { kid: string })[]): ReleaseKeys {
  const all = jwks.map((jwk): ReleaseKey => {
    const privateKey = jwk.d ? createPrivateKey({ key: jwk, format: "jwk" }) : null;
    return { kid: jwk.kid, privateKey, publicKey: createPublicKey(privateKey ?? { key: jwk, format: "jwk" }) };
  });
  const first = all[0];
  if (!first) throw new Error("RELEASE_KEYS contains no key.");
  const published = { keys: all.map(toPublicJwk) };
  return {
    signer: first.privateKey ? { ...first, privateKey: first.privateKey } : null,
    find: (kid) => all.find((key) => key.kid === kid) ?? null,
    jwks: () => published,
  };
}
