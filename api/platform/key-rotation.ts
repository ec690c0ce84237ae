import { after } from "./clock.ts";
import { generateSigningJwk, type PrivateJwk } from "./signing-keys.ts";

/** A set of private keys: the first signs, all verify and are published (decision 0025). */
export interface KeySet {
  readonly keys: readonly PrivateJwk[];
}

/** A change that would break what was signed, with a sentence for the operator. */
export class KeyRotationError extends Error {
  override readonly name = "KeyRotationError";
}

/** One key of a set, as the operator is shown it. */
export interface DescribedKey {
  readonly kid: string;
  /** `signs`, `waits` until it is promoted, or is `retired`. */
  readonly state: "signs" | "waits" | "retired";
  /** Of a retired key: when the last thing signed with it has lapsed. */
  readonly neededUntil?: Date;
}

/**
 * Reads a set of private keys.
 * @throws KeyRotationError when the text is none.
 */
export function readKeySet(json: string): KeySet {
  let set: { keys?: PrivateJwk[] } | null = null;
  try {
    set = JSON.parse(json) as { keys?: PrivateJwk[] } | null;
  } catch {
    // Said below.
  }
  const keys = set?.keys;
  const isKeySet =
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => [key?.kid, key?.d, key?.x, key?.y].every((part) => typeof part === "string"));
  if (!isKeySet) throw new KeyRotationError('This is no set of private keys: {"keys": [{"kid": …, "d": …}]}.');
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new KeyRotationError("Two keys have the same kid.");
  return { keys };
}

/**
 * What each key of a set is for.
 * @param keepMs how long what was signed may still be relied on after its key was retired
 */
export function describeKeys({ keys }: KeySet, keepMs: number): DescribedKey[] {
  return keys.map(({ kid, retiredAt }, index) => {
    if (index === 0) return { kid, state: "signs" };
    return retiredAt
      ? { kid, state: "retired", neededUntil: after(new Date(retiredAt), keepMs) }
      : { kid, state: "waits" };
  });
}

/** Adds a new key that is published and verifies, and signs nothing yet. */
export function addKey({ keys }: KeySet): KeySet {
  return { keys: [...keys, generateSigningJwk()] };
}

/**
 * Lets a published key sign from now on; the one that signed until now stays published, retired.
 * @param kid which one; without it the only one that waits
 * @throws KeyRotationError when no such key waits, or several do and none was named.
 */
export function promoteKey({ keys }: KeySet, now: Date, kid?: string): KeySet {
  const [current, ...others] = keys;
  const waiting = others.filter((key) => !key.retiredAt);
  const chosen = kid ? others.find((key) => key.kid === kid) : waiting[0];
  if (kid && kid === current?.kid) throw new KeyRotationError(`${kid} signs already.`);
  if (kid && !chosen) throw new KeyRotationError(`No key has the kid ${kid}.`);
  if (!current || !chosen) throw new KeyRotationError("No key waits to be promoted. Add one first.");
  if (!kid && waiting.length > 1)
    throw new KeyRotationError(`Several keys wait. Name one: ${waiting.map((key) => key.kid).join(", ")}.`);
  const { retiredAt: _, ...promoted } = chosen;
  const rest = others.filter((key) => key !== chosen);
  return { keys: [promoted, { ...current, retiredAt: now.toISOString() }, ...rest] };
}

/**
 * Drops the retired keys that nothing relies on any more.
 * @param keepMs how long what was signed may still be relied on after its key was retired
 * @param kid drops this one alone
 * @throws KeyRotationError when the named key is still needed.
 */
export function pruneKeys(set: KeySet, now: Date, keepMs: number, kid?: string): KeySet {
  const described = new Map(describeKeys(set, keepMs).map((key) => [key.kid, key]));
  const isLapsed = (key: DescribedKey | undefined) => key?.neededUntil !== undefined && key.neededUntil <= now;
  if (kid !== undefined && !isLapsed(described.get(kid))) throw new KeyRotationError(whyKept(kid, described.get(kid)));
  return {
    keys: set.keys.filter((key) => !isLapsed(described.get(key.kid)) || (kid !== undefined && key.kid !== kid)),
  };
}

function whyKept(kid: string, key: DescribedKey | undefined): string {
  if (!key) return `No key has the kid ${kid}.`;
  if (key.state === "signs") return `${kid} signs. Promote another key first.`;
  if (!key.neededUntil) return `${kid} waits to be promoted; it was not retired.`;
  return `${kid} is needed until ${key.neededUntil.toISOString()}: proofs or licence files signed with it may be in use.`;
}
