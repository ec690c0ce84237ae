import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from "node:crypto";
import { Type } from "typebox";
import type { Config } from "#api/platform/config.ts";
import { namedObject } from "#api/platform/http/define-route.ts";
import { getKeyFile, readOrGenerateKeys } from "./key-files.ts";

/** An ES256 key of the product. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys for access tokens and licence proofs. The first one signs; all of them verify. */
export interface SigningKeys {
  readonly current: SigningKey;
  /** All keys, the current one first. */
  readonly all: readonly SigningKey[];
  /** Returns the key with an ID, or null if it is unknown. Keys are never fetched. */
  find(kid: string | undefined): SigningKey | null;
  /** Returns the public keys as a JWK set (RFC 7517). */
  jwks(): { keys: PublicJwk[] };
}

/** A public ES256 key as published at `/v1/licence/signing-keys` or `/v1/software/release-keys`. */
export interface PublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "ES256";
}

/** A stored private key. The first key of a set signs. */
export type PrivateJwk = JsonWebKey & {
  kid: string;
  /** Time when another key became the signing key, in ISO 8601. Never published (see `key-rotation.ts`). */
  retiredAt?: string;
};

/**
 * Loads the keys from `SIGNING_KEYS`, or from the data folder, where they are generated on first use (mode 0600). The data
 * folder is only used outside production.
 * @throws Error if the stored file isn't a JWK set
 */
export function loadSigningKeys(config: Pick<Config, "signingKeys" | "dataDir">): SigningKeys {
  const json = config.signingKeys ?? readOrGenerateKeys(getKeyFile(config.dataDir, "signing"), generateSigningJwk);
  const { keys } = JSON.parse(json) as { keys: PrivateJwk[] };
  return toSigningKeys(keys);
}

/** Generates a private ES256 key as a JWK, for `SIGNING_KEYS` or `RELEASE_KEYS`. */
export function generateSigningJwk(): PrivateJwk {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "ES256" };
}

/**
 * Creates signing keys from private JWKs. The first one signs.
 * @throws Error if there are none
 */
export function toSigningKeys(jwks: readonly PrivateJwk[]): SigningKeys {
  const all = jwks.map((jwk): SigningKey => {
    const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
    return { kid: jwk.kid, privateKey, publicKey: createPublicKey(privateKey) };
  });
  const current = all[0];
  if (!current) throw new Error("SIGNING_KEYS contains no key.");
  const published = { keys: all.map(toPublicJwk) };
  return { current, all, find: (kid) => all.find((key) => key.kid === kid) ?? null, jwks: () => published };
}

/** Returns the public part of a key as it is published. */
export function toPublicJwk({ kid, publicKey }: Pick<SigningKey, "kid" | "publicKey">): PublicJwk {
  const { x, y } = publicKey.export({ format: "jwk" });
  return { kty: "EC", crv: "P-256", x: x as string, y: y as string, kid, use: "sig", alg: "ES256" };
}

/** Lets clients and proxies keep the keys for five minutes. A new key is published long before it signs. */
export const cachedKeys = { "cache-control": "public, max-age=300" };

/** A published JWK set of ES256 keys (RFC 7517). */
export const publishedKeys = namedObject("SigningKeys", {
  keys: Type.Array(
    namedObject("SigningKey", {
      kty: Type.Literal("EC"),
      crv: Type.Literal("P-256"),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      use: Type.Literal("sig"),
      alg: Type.Literal("ES256"),
    }),
  ),
});

/** Builds an example of {@link publishedKeys} with one key. */
export const exampleKey = (kid: string) => ({
  keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…", kid, use: "sig", alg: "ES256" }],
});
