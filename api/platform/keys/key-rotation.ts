import { addMilliseconds } from "#api/platform/clock.ts";
import { generateEncryptionJwk, KEY_BYTES } from "./encryption-keys.ts";
import type { KeyRing } from "./key-files.ts";
import { generateSigningJwk, type PrivateJwk } from "./signing-keys.ts";

/** A set of keys. The first one signs or encrypts; all of them verify or decrypt (decision 0025). */
export interface KeySet {
  readonly keys: readonly PrivateJwk[];
}

/** Thrown when a change would invalidate existing signatures or secrets. The message is written for the operator. */
export class KeyRotationError extends Error {
  override readonly name = "KeyRotationError";
}

/** Description of a key for the operator. */
export interface DescribedKey {
  readonly kid: string;
  /** `waits` means that the key can be promoted. */
  readonly state: "signs" | "encrypts" | "waits" | "retired";
  /** For a retired key, the time until which something may need it. */
  readonly neededUntil?: Date;
}

/** Parts that every key of a ring has. The private part of a release key may be kept offline. */
const requiredParts = {
  signing: ["kid", "x", "y", "d"],
  encryption: ["kid", "k"],
  release: ["kid", "x", "y"],
} as const satisfies Record<KeyRing, readonly (keyof PrivateJwk)[]>;

const expectations: Readonly<Record<KeyRing, string>> = {
  signing:
    'must be a JWK set of private ES256 keys: {"keys": [{"kty": "EC", "crv": "P-256", "kid": …, "x": …, "y": …, "d": …}]}.',
  encryption:
    'must be a JWK set of AES-256 keys: {"keys": [{"kty": "oct", "kid": …, "k": …}]}, where k is 32 bytes in base64url.',
  release: 'must be a JWK set of ES256 keys: {"keys": [{"kty": "EC", "crv": "P-256", "kid": …, "x": …, "y": …}]}.',
};

/** Returns what is wrong with the text of a set of keys, as the end of a sentence, or null if it is valid. */
export function findKeySetFault(ring: KeyRing, json: string): string | null {
  let keys: readonly Partial<PrivateJwk>[] | undefined;
  try {
    keys = (JSON.parse(json) as { keys?: Partial<PrivateJwk>[] } | null)?.keys;
  } catch {
    // Reported below.
  }
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every((key) => isKey(ring, key))) return expectations[ring];
  if (new Set(keys.map((key) => key?.kid)).size < keys.length) return "has two keys with the same kid.";
  return null;
}

function isKey(ring: KeyRing, key: Partial<PrivateJwk> | null): boolean {
  if (!key || !requiredParts[ring].every((part) => typeof key[part] === "string")) return false;
  if (ring === "encryption") return Buffer.from(key.k as string, "base64url").length === KEY_BYTES;
  return key.kty === "EC" && key.crv === "P-256";
}

/**
 * Reads a set of keys.
 * @throws KeyRotationError if the text isn't a set of keys of the ring
 */
export function readKeySet(json: string, ring: KeyRing = "signing"): KeySet {
  const fault = findKeySetFault(ring, json);
  if (fault) throw new KeyRotationError(`The set of keys ${fault}`);
  return JSON.parse(json) as KeySet;
}

/** Creates a set with one new key. */
export function createKeySet(ring: KeyRing): KeySet {
  return { keys: [generateKey(ring)] };
}

const generateKey = (ring: KeyRing): PrivateJwk =>
  ring === "encryption" ? { ...generateEncryptionJwk() } : generateSigningJwk();

/**
 * Describes the state of each key of a set.
 * @param keepMs how long a key is needed after it was retired, in milliseconds
 */
export function describeKeys({ keys }: KeySet, keepMs: number, ring: KeyRing = "signing"): DescribedKey[] {
  return keys.map(({ kid, retiredAt }, index) => {
    if (index === 0) return { kid, state: ring === "encryption" ? "encrypts" : "signs" };
    return retiredAt
      ? { kid, state: "retired", neededUntil: addMilliseconds(new Date(retiredAt), keepMs) }
      : { kid, state: "waits" };
  });
}

/** Adds a new key, which verifies or decrypts but doesn't sign or encrypt yet. */
export function addKey({ keys }: KeySet, ring: KeyRing = "signing"): KeySet {
  return { keys: [...keys, generateKey(ring)] };
}

/**
 * Makes a waiting or retired key the current key. The previous current key is retired but stays in the set.
 * @param kid the key to promote; by default the only waiting key
 * @throws KeyRotationError if the key doesn't exist, no key is waiting, or several are waiting and `kid` isn't given
 */
export function promoteKey({ keys }: KeySet, now: Date, kid?: string): KeySet {
  const [current, ...others] = keys;
  const waiting = others.filter((key) => !key.retiredAt);
  const chosen = kid === undefined ? waiting[0] : others.find((key) => key.kid === kid);
  if (kid !== undefined && kid === current?.kid) throw new KeyRotationError(`${kid} is already the current key.`);
  if (kid !== undefined && !chosen) throw new KeyRotationError(`No key has the kid ${kid}.`);
  if (!current || !chosen) throw new KeyRotationError("No key is waiting to be promoted. Add one first.");
  if (kid === undefined && waiting.length > 1)
    throw new KeyRotationError(`Several keys are waiting. Name one: ${waiting.map((key) => key.kid).join(", ")}.`);
  const { retiredAt: _, ...promoted } = chosen;
  const rest = others.filter((key) => key !== chosen);
  return { keys: [promoted, { ...current, retiredAt: now.toISOString() }, ...rest] };
}

/**
 * Removes retired keys that are no longer needed.
 * @param keepMs how long a key is needed after it was retired, in milliseconds
 * @param kid removes only this key
 * @throws KeyRotationError if the named key is still needed
 */
export function pruneKeys(set: KeySet, now: Date, keepMs: number, kid?: string): KeySet {
  const described = new Map(describeKeys(set, keepMs).map((key) => [key.kid, key]));
  const isLapsed = (key: DescribedKey | undefined) => key?.neededUntil !== undefined && key.neededUntil <= now;
  if (kid !== undefined && !isLapsed(described.get(kid)))
    throw new KeyRotationError(explainKept(kid, described.get(kid)));
  return {
    keys: set.keys.filter((key) => !isLapsed(described.get(key.kid)) || (kid !== undefined && key.kid !== kid)),
  };
}

function explainKept(kid: string, key: DescribedKey | undefined): string {
  if (!key) return `No key has the kid ${kid}.`;
  if (key.state === "signs" || key.state === "encrypts") return `${kid} is the current key. Promote another key first.`;
  if (!key.neededUntil) return `${kid} is waiting to be promoted. It isn't retired.`;
  return `${kid} is needed until ${key.neededUntil.toISOString()}. Something signed or encrypted with it may be in use.`;
}
