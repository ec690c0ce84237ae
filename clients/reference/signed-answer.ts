import { createPublicKey, verify } from "node:crypto";
import { type AnswerData, isAnswerData, isRecord } from "./answer.ts";

/** A key published by `/v1/licence/signing-keys`. */
export interface PublishedKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

/** Payload of a proof or a licence file. */
export interface SignedAnswer {
  readonly data: AnswerData;
  readonly nonce: string;
  readonly fingerprint: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/**
 * Reads a compact JWS from the service. Requires ES256, the expected type, a key in the set, a valid signature and the
 * required fields. The header only selects the key: `alg` and `typ` are compared, never trusted.
 * @returns 'unknown-key' if only the key is missing, 'forged' for everything else
 */
export function readSigned(
  jws: string,
  type: "licence-proof" | "licence-file",
  keys: readonly PublishedKey[],
): SignedAnswer | "unknown-key" | "forged" {
  const payload = readJws(jws, type, keys);
  if (payload === "unknown-key") return payload;
  return isSignedAnswer(payload) ? payload : "forged";
}

/** Returns the payload of a compact JWS of a type, if its signature by one of the keys is valid. */
export function readJws(jws: string, type: string, keys: readonly PublishedKey[]): unknown {
  const [head, body, signature, ...more] = jws.split(".");
  if (!head || !body || !signature || more.length > 0) return "forged";
  const header = decoded(head);
  if (!isRecord(header) || header.alg !== "ES256" || header.typ !== type) return "forged";
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return "unknown-key";
  return isSignedBy(key, `${head}.${body}`, signature) ? decoded(body) : "forged";
}

/** Returns the keys of a JWK set that can verify proofs, or null if it isn't a JWK set. */
export function readKeys(json: unknown): PublishedKey[] | null {
  if (!isRecord(json) || !Array.isArray(json.keys)) return null;
  return json.keys.filter(
    (key): key is PublishedKey =>
      isRecord(key) &&
      key.kty === "EC" &&
      key.crv === "P-256" &&
      [key.kid, key.x, key.y].every((text) => typeof text === "string"),
  );
}

function isSignedBy({ kty, crv, x, y }: PublishedKey, signed: string, signature: string): boolean {
  try {
    return verify(
      "sha256",
      Buffer.from(signed),
      { key: createPublicKey({ key: { kty, crv, x, y }, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
  } catch {
    // The point is not on the curve.
    return false;
  }
}

function isSignedAnswer(payload: unknown): payload is SignedAnswer {
  return (
    isRecord(payload) &&
    isAnswerData(payload.data) &&
    typeof payload.nonce === "string" &&
    typeof payload.fingerprint === "string" &&
    Number.isFinite(payload.iat) &&
    Number.isFinite(payload.exp)
  );
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return null;
  }
}
