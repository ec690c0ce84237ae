import jwt from "jsonwebtoken";
import { DAY, MINUTE, toEpochSeconds } from "#api/platform/clock.ts";
import type { ReleaseKeys } from "#api/platform/keys/release-keys.ts";

/** Lifetime of a manifest that the server signs for a response, in milliseconds. */
export const MANIFEST_LIFE_MS = 7 * DAY;
/** Longest lifetime of a manifest that is signed offline, in milliseconds. */
export const LONGEST_MANIFEST_LIFE_MS = 90 * DAY;
/** Largest accepted difference between the clocks of the server and of the machine that signs, in milliseconds. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE;

/** `typ` of the JWS. It differs from the types of tokens and licence proofs. */
const TYPE = "update-manifest";

/** The build that a stage offers, as signed for add-ins (decision 0023). */
export interface UpdateManifest {
  readonly version: string;
  readonly url: string;
  /** SHA-256 of the file at `url`, in hex. */
  readonly sha256: string;
  readonly stage: number;
  /** Number of the stage's offer. It only increases, also after a rollback, so add-ins refuse older manifests. */
  readonly sequence: number;
}

/** A manifest with a valid signature. */
export interface SignedManifest extends UpdateManifest {
  /** When it was signed and when it expires, in seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** Signs a manifest as a compact JWS (ES256, with `kid`). */
export function signManifest(
  { kid, privateKey }: NonNullable<ReleaseKeys["signer"]>,
  { version, url, sha256, stage, sequence }: UpdateManifest,
  { issuedAt, expiresAt }: { readonly issuedAt: Date; readonly expiresAt: Date },
): string {
  const times = { iat: toEpochSeconds(issuedAt), exp: toEpochSeconds(expiresAt) };
  return jwt.sign({ version, url, sha256, stage, sequence, ...times }, privateKey, {
    algorithm: "ES256",
    keyid: kid,
    header: { alg: "ES256", typ: TYPE },
  });
}

/**
 * Returns the manifest of a JWS, or null if it isn't signed by one of the keys, is malformed, has expired, lasts too long
 * or was signed in the future.
 */
export function verifyManifest(keys: Pick<ReleaseKeys, "find">, jws: string, now: Date): SignedManifest | null {
  try {
    // jsonwebtoken throws if the payload isn't JSON.
    const key = keys.find(jwt.decode(jws, { complete: true })?.header.kid);
    if (!key) return null;
    const clockTimestamp = toEpochSeconds(now);
    const { header, payload } = jwt.verify(jws, key.publicKey, {
      algorithms: ["ES256"],
      clockTimestamp,
      complete: true,
    });
    const manifest = readManifest(payload);
    if (header.typ !== TYPE || !manifest || typeof payload === "string") return null;
    const { iat, exp } = payload;
    if (!Number.isInteger(iat) || !Number.isInteger(exp) || iat === undefined || exp === undefined) return null;
    const isTimely =
      iat * 1_000 <= now.getTime() + CLOCK_TOLERANCE_MS && (exp - iat) * 1_000 <= LONGEST_MANIFEST_LIFE_MS;
    return isTimely ? { ...manifest, iat, exp } : null;
  } catch {
    return null;
  }
}

/** Returns the manifest in a parsed JSON value, without its other fields, or null if one is missing or malformed. */
export function readManifest(json: unknown): UpdateManifest | null {
  if (typeof json !== "object" || json === null) return null;
  const { version, url, sha256, stage, sequence } = json as Partial<Record<keyof UpdateManifest, unknown>>;
  if (typeof version !== "string" || typeof url !== "string" || typeof sha256 !== "string") return null;
  if (!/^[0-9a-f]{64}$/.test(sha256) || !URL.canParse(url)) return null;
  if (!Number.isInteger(stage) || !Number.isSafeInteger(sequence)) return null;
  return { version, url, sha256, stage: stage as number, sequence: sequence as number };
}
