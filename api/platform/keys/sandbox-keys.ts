import { createECDH } from "node:crypto";
import { deriveBytes } from "./secrets.ts";
import { type SigningKey, type SigningKeys, toSigningKeys } from "./signing-keys.ts";

/** Order n of the P-256 group (FIPS 186-5). Private keys are 1 to n − 1. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const BYTES = 32;
/** Number of bytes to derive. The extra bytes keep the modulo operation from favouring any key (FIPS 186-5, A.2.1). */
const DRAWN_BYTES = 48;

const derived = new WeakMap<SigningKeys, SigningKeys>();

/**
 * Derives the keys that sign sandbox responses from the product's keys. They are the same in every process, rotate with
 * the product's keys, and aren't stored. They are published separately, so an add-in that trusts the product's keys doesn't
 * accept sandbox signatures. The product's keys can't be derived from them (decision 0054).
 */
export function deriveSandboxKeys(keys: SigningKeys): SigningKeys {
  const known = derived.get(keys);
  if (known) return known;
  const sandboxKeys = toSigningKeys(keys.all.map(deriveJwk));
  derived.set(keys, sandboxKeys);
  return sandboxKeys;
}

function deriveJwk(signingKey: SigningKey) {
  const drawn = deriveBytes(signingKey, "sandbox proofs", DRAWN_BYTES);
  const scalar = (BigInt(`0x${drawn.toString("hex")}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * BYTES, "0"), "hex");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  return {
    kty: "EC",
    crv: "P-256",
    kid: `sandbox-${signingKey.kid}`,
    d: d.toString("base64url"),
    // The first byte marks an uncompressed point; x and y follow.
    x: point.subarray(1, 1 + BYTES).toString("base64url"),
    y: point.subarray(1 + BYTES).toString("base64url"),
  };
}
