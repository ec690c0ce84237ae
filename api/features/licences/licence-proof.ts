import { sign } from "node:crypto";
import { epochSeconds } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";

/** What a proof vouches for (DOMAIN §8.9): the answer, and which question of which machine it answers. */
export interface LicenceProofContent {
  readonly data: object;
  readonly nonce: string;
  readonly fingerprint: string;
  /** Until when the add-in may rely on it. */
  readonly expiresAt: Date;
}

/**
 * Signs an answer: a compact JWS (ES256, `kid`), whose type `licence-proof` keeps it from passing as an
 * access token, which has `at+jwt`, and the other way round. `iat` and `exp` follow the clock.
 */
export function signLicenceProof(services: Pick<Services, "keys" | "clock">, content: LicenceProofContent): string {
  const { kid, privateKey } = services.keys.current;
  const { data, nonce, fingerprint, expiresAt } = content;
  const header = { alg: "ES256", typ: "licence-proof", kid };
  const payload = {
    data,
    nonce,
    fingerprint,
    iat: epochSeconds(services.clock.now()),
    exp: epochSeconds(expiresAt),
  };
  const signed = `${encoded(header)}.${encoded(payload)}`;
  // JWS wants r and s side by side, not the DER that OpenSSL gives by default (RFC 7518 §3.4).
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
