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

/** One ES256 key of the product. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys of access tokens and licence proofs: the first signs, all verify. */
export interface SigningKeys {
  readonly current: SigningKey;
  /** Key of an id, or null: an unknown `kid` is never fetched or guessed. */
  find(kid: string | undefined): SigningKey | null;
  /** Public keys as a JWK set (RFC 7517). */
  jwks(): { keys: PublicJwk[] };
}

/** A public ES256 key as `/v1/licence/signing-keys` publishes it. */
export interface PublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "ES256";
}

/** A private key as it is kept; the order of a set says which one signs. */
export type PrivateJwk = JsonWebKey & {
  kid: string;
  /** When another took its place in signing, ISO 8601; never published (see `key-rotation.ts`). */
  retiredAt?: string;
};

/**
 * Keys from `SIGNING_KEYS`, or generated once into the data folder (mode 0600), outside production only.
 * @throws Error when the stored file is not a JWK set.
 */
export function loadSigningKeys(config: Pick<Config, "signingKeys" | "dataDir">): SigningKeys {
  const json = config.signingKeys ?? readOrGenerate(signingKeysFile(config.dataDir));
  const { keys } = JSON.parse(json) as { keys: PrivateJwk[] };
  return signingKeysOf(keys);
}

function readOrGenerate(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  const json = JSON.stringify({ keys: [generateSigningJwk()] }, null, 2);
  writeSigningKeys(file, json);
  return json;
}

/** Where generated keys are kept. */
export function signingKeysFile(dataDir: string): string {
  return join(dataDir, "signing-keys.json");
}

/** Writes keys aside and renames them, so that a kill between the two never leaves half a key. */
export function writeSigningKeys(file: string, json: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(`${file}.part`, json, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** A new private ES256 key as JWK, for `SIGNING_KEYS`. */
export function generateSigningJwk(): PrivateJwk {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "ES256" };
}

/** Keys from private JWKs; the first signs. @throws Error for none. */
export function signingKeysOf(jwks: readonly PrivateJwk[]): SigningKeys {
  const all = jwks.map((jwk): SigningKey => {
    const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
    return { kid: jwk.kid, privateKey, publicKey: createPublicKey(privateKey) };
  });
  const current = all[0];
  if (!current) throw new Error("SIGNING_KEYS holds no key.");
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
