import { describe, expect, test } from "vitest";
import {
  addKey,
  describeKeys,
  type KeySet,
  promoteKey,
  pruneKeys,
  readKeySet,
} from "#api/platform/keys/key-rotation.ts";
import { addMilliseconds, DAY, SECOND } from "#api/platform/clock.ts";
import { generateSigningJwk, loadSigningKeys } from "#api/platform/keys/signing-keys.ts";

const now = new Date("2026-03-01T00:00:00.000Z");
const KEEP = 15 * DAY;
const one = (): KeySet => ({ keys: [generateSigningJwk()] });
const getKids = (set: KeySet) => set.keys.map((key) => key.kid);

describe("key rotation", () => {
  test("adds a new key after the signing key, and promotes it, which retires the signing key", () => {
    const set = one();
    const added = addKey(set);
    const [old, fresh] = getKids(added);
    expect(getKids(set)).toEqual([old]);
    expect(describeKeys(added, KEEP).map((key) => key.state)).toEqual(["signs", "waits"]);
    const promoted = promoteKey(added, now);
    expect(getKids(promoted)).toEqual([fresh, old]);
    expect(promoted.keys.map((key) => key.retiredAt)).toEqual([undefined, now.toISOString()]);
    expect(describeKeys(promoted, KEEP)[1]).toEqual({
      kid: old,
      state: "retired",
      neededUntil: addMilliseconds(now, KEEP),
    });
  });

  test("promotes a retired key again", () => {
    const promoted = promoteKey(addKey(one()), now);
    const [, old] = getKids(promoted);
    const back = promoteKey(promoted, addMilliseconds(now, DAY), old);
    expect(getKids(back)[0]).toBe(old);
    expect(back.keys[0]?.retiredAt).toBeUndefined();
    expect(back.keys[1]?.retiredAt).toBe(addMilliseconds(now, DAY).toISOString());
  });

  test("removes a retired key only after its last signature has expired", () => {
    const set = promoteKey(addKey(one()), now);
    const [signing, old] = getKids(set);
    expect(getKids(pruneKeys(set, addMilliseconds(now, KEEP - SECOND), KEEP))).toEqual([signing, old]);
    expect(() => pruneKeys(set, addMilliseconds(now, KEEP - SECOND), KEEP, old)).toThrow(
      `${old} is needed until 2026-03-16T00:00:00.000Z`,
    );
    expect(getKids(pruneKeys(set, addMilliseconds(now, KEEP), KEEP))).toEqual([signing]);
    expect(getKids(pruneKeys(set, addMilliseconds(now, KEEP), KEEP, old))).toEqual([signing]);
  });

  test("removes only the named key, and never a signing or waiting key", () => {
    const twice = promoteKey(addKey(promoteKey(addKey(one()), now)), now);
    const waiting = addKey(twice);
    const [signing, second, first, fresh] = getKids(waiting);
    const late = addMilliseconds(now, 400 * DAY);
    expect(getKids(pruneKeys(waiting, late, KEEP, first))).toEqual([signing, second, fresh]);
    expect(getKids(pruneKeys(waiting, late, KEEP))).toEqual([signing, fresh]);
    expect(() => pruneKeys(waiting, late, KEEP, signing)).toThrow(
      `${signing} is the current key. Promote another key first.`,
    );
    expect(() => pruneKeys(waiting, late, KEEP, fresh)).toThrow("is waiting to be promoted");
    expect(() => pruneKeys(waiting, late, KEEP, "other")).toThrow("No key has the kid other.");
  });

  test("explains why a key can't be promoted", () => {
    const set = one();
    expect(() => promoteKey(set, now)).toThrow("No key is waiting to be promoted. Add one first.");
    expect(() => promoteKey(set, now, getKids(set)[0])).toThrow("is already the current key.");
    expect(() => promoteKey(set, now, "other")).toThrow("No key has the kid other.");
    expect(() => promoteKey(addKey(set), now, "")).toThrow("No key has the kid .");
    expect(() => promoteKey(addKey(addKey(set)), now)).toThrow("Several keys are waiting.");
  });

  test.each(["", "[]", "null", "{}", '{"keys":[]}', '{"keys":[{"kid":"a"}]}', '{"keys":[null]}'])(
    "rejects %s as a set of keys",
    (json) => {
      expect(() => readKeySet(json)).toThrow("must be a JWK set of private ES256 keys");
    },
  );

  test("rejects two keys with the same kid", () => {
    const [key] = one().keys;
    expect(() => readKeySet(JSON.stringify({ keys: [key, key] }))).toThrow("has two keys with the same kid.");
  });

  test("loads a rotated set and publishes neither private parts nor retirement times", () => {
    const set = promoteKey(addKey(one()), now);
    const keys = loadSigningKeys({ dataDir: "/nowhere", signingKeys: JSON.stringify(readKeySet(JSON.stringify(set))) });
    expect(keys.current.kid).toBe(getKids(set)[0]);
    expect(keys.jwks().keys.map((key) => Object.keys(key).toSorted())).toEqual(
      set.keys.map(() => ["alg", "crv", "kid", "kty", "use", "x", "y"]),
    );
  });
});
