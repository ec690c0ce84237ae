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
import type { Config } from "#api/config.ts";

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

type PrivateJwk = JsonWebKey & { kid: string };

/**
 * Keys from `SIGNING_KEYS`, or generated once into the data folder (mode 0600), outside production only.
 * @throws Error when the stored file is not a JWK set.
 */
export function loadSigningKeys(config: Pick<Config, "signingKeys" | "dataDir">): SigningKeys {
  const json = config.signingKeys ?? readOrGenerate(join(config.dataDir, "signing-keys.json"));
  const { keys } = JSON.parse(json) as { keys: PrivateJwk[] };
  return signingKeysOf(keys);
}

function readOrGenerate(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  mkdirSync(join(file, ".."), { recursive: true });
  const json = JSON.stringify({ keys: [generateSigningJwk()] }, null, 2);
  // Written aside and renamed, so that a kill between the two never leaves half a key.
  writeFileSync(`${file}.part`, json, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return json;
}

/** A new private ES256 key as JWK, for `SIGNING_KEYS`. */
export function generateSigningJwk(): PrivateJwk {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "ES256" };
}

function signingKeysOf(jwks: readonly PrivateJwk[]): SigningKeys {
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
