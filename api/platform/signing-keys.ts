import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

/** An ES256 key of the product. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys for access tokens and licence proofs. The first one signs; all of them verify. */
export interface SigningKeys {
  readonly current: SigningKey;
  /** Returns the key with an ID, or null if it is unknown. Keys are never fetched. */
  find(kid: string | undefined): SigningKey | null;
  /** Returns the public keys as a JWK set (RFC 7517). */
  jwks(): { keys: PublicJwk[] };
}

/** A public ES256 key as published at `/v1/licence/signing-keys`. */
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
  const json = config.signingKeys ?? readOrGenerate(getSigningKeysFile(config.dataDir));
  const { keys } = JSON.parse(json) as { keys: PrivateJwk[] };
  return toSigningKeys(keys);
}

function readOrGenerate(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  const json = JSON.stringify({ keys: [generateSigningJwk()] }, null, 2);
  writeSigningKeys(file, json);
  return json;
}

/** Returns the path of the file that contains the generated keys. */
export function getSigningKeysFile(dataDir: string): string {
  return join(dataDir, "signing-keys.json");
}

/** Writes keys to a temporary file and renames it, so an interrupted write never leaves an incomplete file. */
export function writeSigningKeys(file: string, json: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(`${file}.part`, json, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Generates a private ES256 key as a JWK, for `SIGNING_KEYS`. */
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
  const published = {
    keys: all.map(({ kid, publicKey }): PublicJwk => {
      const { x, y } = publicKey.export({ format: "jwk" });
      return { kty: "EC", crv: "P-256", x: x as string, y: y as string, kid, use: "sig", alg: "ES256" };
    }),
  };
  return {
    current,
    find: (kid) => all.find((key) => key.kid === kid) ?? null,
    jwks: () => published,
  };
}
