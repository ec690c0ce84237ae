import { createPublicKey, type JsonWebKey, verify } from "node:crypto";

/** A JWS taken apart. */
export interface ReadProof {
  readonly header: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
}

/**
 * Reads a proof as the add-in does: the key of its `kid` among the published ones, ES256, and no library
 * of ours. Null when the signature is not right.
 */
export function readProof(proof: string, jwks: { keys: (JsonWebKey & { kid?: string })[] }): ReadProof | null {
  const [head = "", body = "", signature = ""] = proof.split(".");
  const header = decoded(head);
  const jwk = jwks.keys.find((key) => key.kid === header.kid);
  if (!jwk || header.alg !== "ES256") return null;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const right = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return right ? { header, payload: decoded(body) } : null;
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
}

/** The JWS in a licence file: what stands between the markers, white space dropped. */
export function jwsInLicenceFile(text: string): string {
  const [, inside = ""] = /-----BEGIN LICENCE FILE-----([\s\S]+)-----END LICENCE FILE-----/.exec(text) ?? [];
  return inside.replace(/\s/g, "");
}
