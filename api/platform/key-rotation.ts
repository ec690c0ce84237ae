import { addMilliseconds } from "./clock.ts";
import { generateSigningJwk, type PrivateJwk } from "./signing-keys.ts";

/** A set of private keys. The first one signs; all of them verify and are published (decision 0025). */
export interface KeySet {
  readonly keys: readonly PrivateJwk[];
}

/** Thrown when a change would invalidate existing signatures. The message is written for the operator. */
export class KeyRotationError extends Error {
  override readonly name = "KeyRotationError";
}

/** Description of a key for the operator. */
export interface DescribedKey {
  readonly kid: string;
  /** `waits` means that the key can be promoted. */
  readonly state: "signs" | "waits" | "retired";
  /** For a retired key, the time when the last signature made with it expires. */
  readonly neededUntil?: Date;
}

/**
 * Reads a set of private keys.
 * @throws KeyRotationError if the text isn't a set of private keys
 */
export function readKeySet(json: string): KeySet {
  let set: { keys?: PrivateJwk[] } | null = null;
  try {
    set = JSON.parse(json) as { keys?: PrivateJwk[] } | null;
  } catch {
    // Reported below.
  }
  const keys = set?.keys;
  const isKeySet =
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => [key?.kid, key?.d, key?.x, key?.y].every((part) => typeof part === "string"));
  if (!isKeySet) throw new KeyRotationError('This isn\'t a set of private keys: {"keys": [{"kid": …, "d": …}]}.');
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new KeyRotationError("Two keys have the same kid.");
  return { keys };
}

/**
 * Describes the state of each key of a set.
 * @param keepMs how long signatures stay valid after their key was retired, in milliseconds
 */
export function describeKeys({ keys }: KeySet, keepMs: number): DescribedKey[] {
  return keys.map(({ kid, retiredAt }, index) => {
    if (index === 0) return { kid, state: "signs" };
    return retiredAt
      ? { kid, state: "retired", neededUntil: addMilliseconds(new Date(retiredAt), keepMs) }
      : { kid, state: "waits" };
  });
}

/** Adds a new key, which is published and verifies but doesn't sign yet. */
export function addKey({ keys }: KeySet): KeySet {
  return { keys: [...keys, generateSigningJwk()] };
}

/**
 * Makes a published key the signing key. The previous signing key is retired but stays published.
 * @param kid the key to promote; by default the only waiting key
 * @throws KeyRotationError if the key doesn't exist, no key is waiting, or several are waiting and `kid` isn't given
 */
export function promoteKey({ keys }: KeySet, now: Date, kid?: string): KeySet {
  const [current, ...others] = keys;
  const waiting = others.filter((key) => !key.retiredAt);
  const chosen = kid ? others.find((key) => key.kid === kid) : waiting[0];
  if (kid && kid === current?.kid) throw new KeyRotationError(`${kid} is already the signing key.`);
  if (kid && !chosen) throw new KeyRotationError(`No key has the kid ${kid}.`);
  if (!current || !chosen) throw new KeyRotationError("No key is waiting to be promoted. Add one first.");
  if (!kid && waiting.length > 1)
    throw new KeyRotationError(`Several keys are waiting. Name one: ${waiting.map((key) => key.kid).join(", ")}.`);
  const { retiredAt: _, ...promoted } = chosen;
  const rest = others.filter((key) => key !== chosen);
  return { keys: [promoted, { ...current, retiredAt: now.toISOString() }, ...rest] };
}

/**
 * Removes retired keys that are no longer needed.
 * @param keepMs how long signatures stay valid after their key was retired, in milliseconds
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
  if (key.state === "signs") return `${kid} is the signing key. Promote another key first.`;
  if (!key.neededUntil) return `${kid} is waiting to be promoted. It isn't retired.`;
  return `${kid} is needed until ${key.neededUntil.toISOString()}. Proofs or licence files signed with it may be in use.`;
}
