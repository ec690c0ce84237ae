import { sign } from "node:crypto";
import { DAY, toEpochSeconds } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";

/**
 * Longest lifetime of a proof or a licence file, in milliseconds: the grace period of a paid licence
 * (docs/domain.md#grace). Signing keys remain published for this long after they last signed something.
 */
export const LONGEST_PROOF_LIFE_MS = 14 * DAY;

/** Content of a proof (docs/domain.md#proof): the answer, and the request and device it belongs to. */
export interface LicenceProofContent {
  /** `typ` in the JWS header: an online answer, or a file for a device without a connection. */
  readonly type: "licence-proof" | "licence-file";
  readonly data: object;
  readonly nonce: string;
  readonly fingerprint: string;
  /** Time until which the add-in may rely on the proof. */
  readonly expiresAt: Date;
}

/**
 * Signs an answer as a compact JWS (ES256, with `kid`). Its type differs from the `at+jwt` of access tokens, so neither
 * can be used as the other. `iat` and `exp` use the clock of `services`.
 */
export function signLicenceProof(services: Pick<Services, "keys" | "clock">, content: LicenceProofContent): string {
  const { kid, privateKey } = services.keys.current;
  const { type, data, nonce, fingerprint, expiresAt } = content;
  const header = { alg: "ES256", typ: type, kid };
  const payload = {
    data,
    nonce,
    fingerprint,
    iat: toEpochSeconds(services.clock.now()),
    exp: toEpochSeconds(expiresAt),
  };
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${convertDerToJws(sign("sha256", Buffer.from(signed), privateKey)).toString("base64url")}`;
}

/** Length of `r` and of `s` in an ES256 signature, in bytes. */
const INTEGER_BYTES = 32;

/**
 * Converts an ES256 signature from OpenSSL's DER to the JWS format, `r` followed by `s` (RFC 7518 §3.4). DER is a
 * sequence of two integers without leading zeros, except one zero that keeps an integer positive. Node can convert it
 * (`dsaEncoding`), but then it parses the key again for every signature, which doubles the cost of a proof.
 */
function convertDerToJws(der: Buffer): Buffer {
  const both = Buffer.alloc(2 * INTEGER_BYTES);
  let at = 2;
  for (const end of [INTEGER_BYTES, 2 * INTEGER_BYTES]) {
    const start = at + 2;
    at = start + (der[at + 1] ?? 0);
    const length = Math.min(INTEGER_BYTES, at - start);
    der.copy(both, end - length, at - length, at);
  }
  return both;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
