import { sign } from "node:crypto";
import { DAY, epochSeconds } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";

/**
 * The longest that a proof or a licence file is good for: the grace of a paid licence (docs/domain.md#grace). Signing
 * keys stay published for this long after they last signed.
 */
export const LONGEST_PROOF_LIFE_MS = 14 * DAY;

/** What a proof vouches for (docs/domain.md#proof): the answer, and which question of which machine it answers. */
export interface LicenceProofContent {
  /** The `typ` of the header: an answer of the moment, or a file that is carried to a machine without a connection. */
  readonly type: "licence-proof" | "licence-file";
  readonly data: object;
  readonly nonce: string;
  readonly fingerprint: string;
  /** Until when the add-in may rely on it. */
  readonly expiresAt: Date;
}

/**
 * Signs an answer: a compact JWS (ES256, `kid`), whose type keeps it from passing as an access token, which has
 * `at+jwt`, and the other way round. `iat` and `exp` follow the clock.
 */
export function signLicenceProof(services: Pick<Services, "keys" | "clock">, content: LicenceProofContent): string {
  const { kid, privateKey } = services.keys.current;
  const { type, data, nonce, fingerprint, expiresAt } = content;
  const header = { alg: "ES256", typ: type, kid };
  const payload = {
    data,
    nonce,
    fingerprint,
    iat: epochSeconds(services.clock.now()),
    exp: epochSeconds(expiresAt),
  };
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${sideBySide(sign("sha256", Buffer.from(signed), privateKey)).toString("base64url")}`;
}

/** Bytes of r and of s with ES256. */
const HALF = 32;

/**
 * An ES256 signature as JWS has it, r and s side by side (RFC 7518 §3.4), from OpenSSL's DER: a sequence of two integers,
 * each without leading zeros but for one that keeps it positive. Node can do this itself (`dsaEncoding`), but then takes
 * the key apart for every signature, which doubles the cost of an answer's proof.
 */
function sideBySide(der: Buffer): Buffer {
  const both = Buffer.alloc(2 * HALF);
  let at = 2;
  for (const end of [HALF, 2 * HALF]) {
    const start = at + 2;
    at = start + (der[at + 1] ?? 0);
    const length = Math.min(HALF, at - start);
    der.copy(both, end - length, at - length, at);
  }
  return both;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
