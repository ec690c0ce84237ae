import { createECDH, hkdfSync } from "node:crypto";
import { type SigningKey, type SigningKeys, signingKeysOf } from "./signing-keys.ts";

/** Order of the group of P-256 (FIPS 186-5): private keys are 1 to n − 1. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const BYTES = 32;
/** So many more than the order has that the remainder favours no key (FIPS 186-5, A.2.1). */
const DRAWN_BYTES = 48;

const derived = new WeakMap<SigningKeys, SigningKeys>();

/**
 * The keys that sign the sandbox's answers, one beside each of the product's, derived from it: the same in every
 * process, rotated with it, and kept nowhere. They are published apart, so that no add-in that trusts the product's
 * keys believes what they signed; nothing leads back from them (decision 0054).
 */
export function sandboxKeysOf(keys: SigningKeys): SigningKeys {
  const known = derived.get(keys);
  if (known) return known;
  const own = keys.jwks().keys.flatMap(({ kid }) => keys.find(kid) ?? []);
  const made = signingKeysOf(own.map(sandboxJwk));
  derived.set(keys, made);
  return made;
}

function sandboxJwk({ kid, privateKey }: SigningKey) {
  const secret = privateKey.export({ format: "jwk" }).d;
  if (!secret) throw new Error("A signing key has no private part.");
  const drawn = hkdfSync("sha256", Buffer.from(secret, "base64url"), "", "sandbox proofs", DRAWN_BYTES);
  const scalar = (BigInt(`0x${Buffer.from(drawn).toString("hex")}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * BYTES, "0"), "hex");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  return {
    kty: "EC",
    crv: "P-256",
    kid: `sandbox-${kid}`,
    d: d.toString("base64url"),
    // After the byte that says 'uncompressed' come x and y.
    x: point.subarray(1, 1 + BYTES).toString("base64url"),
    y: point.subarray(1 + BYTES).toString("base64url"),
  };
}
