import { deriveSecret, hashSecret, readPrivatePart } from "#api/platform/keys/secrets.ts";
import type { SigningKey, SigningKeys } from "#api/platform/keys/signing-keys.ts";

/**
 * Derives the 256-bit token of a device from the current signing key and the device's id. Retried activations get the same
 * token although only its hash is stored. Activating a deactivated machine again creates a new device with a new token.
 */
export function deriveMachineToken(keys: Pick<SigningKeys, "current">, deviceId: string): string {
  return tokenFrom(keys.current, deviceId);
}

/** Finds the token that `tokenHash` was computed from, or null if its signing key is no longer known. */
export function findMachineToken(keys: SigningKeys, device: { id: string; tokenHash: string }): string | null {
  const tokens = keys.all.map((key) => tokenFrom(key, device.id));
  return tokens.find((token) => hashSecret(token) === device.tokenHash) ?? null;
}

function tokenFrom(key: SigningKey, deviceId: string): string {
  return deriveSecret(deriveSecret(readPrivatePart(key), "machine tokens"), deviceId);
}
