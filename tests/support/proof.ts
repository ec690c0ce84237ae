import { createPublicKey, type JsonWebKey, verify } from "node:crypto";

/** Decoded JWS. */
export interface ReadProof {
  readonly header: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
}

/**
 * Decodes a proof as the add-in does: with ES256 and the published key of its `kid`, and without the product's code.
 * Returns null if the signature is invalid.
 */
export function readProof(proof: string, jwks: { keys: (JsonWebKey & { kid?: string })[] }): ReadProof | null {
  const [head = "", body = "", signature = ""] = proof.split(".");
  const header = decodePart(head);
  const jwk = jwks.keys.find((key) => key.kid === header.kid);
  if (!jwk || header.alg !== "ES256") return null;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const options = { key, dsaEncoding: "ieee-p1363" } as const;
  const isValid = verify("sha256", Buffer.from(`${head}.${body}`), options, Buffer.from(signature, "base64url"));
  return isValid ? { header, payload: decodePart(body) } : null;
}

function decodePart(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
}

/** Returns the JWS of a licence file: the text between its markers without white space. */
export function extractJws(text: string): string {
  const [, inside = ""] = /-----BEGIN LICENCE FILE-----([\s\S]+)-----END LICENCE FILE-----/.exec(text) ?? [];
  return inside.replace(/\s/g, "");
}
