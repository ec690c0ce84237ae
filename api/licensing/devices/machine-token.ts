import { deriveSecret, hashSecret } from "#api/platform/secrets.ts";
import type { SigningKey, SigningKeys } from "#api/platform/signing-keys.ts";

/**
 * The token of a device, 256 bits. It is derived from a signing key and the device's id, so that an
 * activation repeated after a lost answer gives the same token and stops nobody who has it already;
 * only its hash is stored. A freed device's next activation is a new device with a new token.
 */
export function newMachineToken(keys: Pick<SigningKeys, "current">, deviceId: string): string {
  return tokenFrom(keys.current, deviceId);
}

/**
 * The token that `tokenHash` was made of, from whichever key is still known; null once that key is gone,
 * and then the device gets a new one.
 */
export function findMachineToken(keys: SigningKeys, device: { id: string; tokenHash: string }): string | null {
  for (const { kid } of keys.jwks().keys) {
    const key = keys.find(kid);
    const token = key && tokenFrom(key, device.id);
    if (token && hashSecret(token) === device.tokenHash) return token;
  }
  return null;
}

function tokenFrom(key: SigningKey, deviceId: string): string {
  const secret = key.privateKey.export({ format: "jwk" }).d;
  if (!secret) throw new Error("A signing key has no private part.");
  return deriveSecret(deriveSecret(secret, "machine tokens"), deviceId);
}
