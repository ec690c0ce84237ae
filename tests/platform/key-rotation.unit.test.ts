import { describe, expect, test } from "vitest";
import { addKey, describeKeys, type KeySet, promoteKey, pruneKeys, readKeySet } from "#api/platform/key-rotation.ts";
import { after, DAY, SECOND } from "#api/platform/clock.ts";
import { generateSigningJwk, loadSigningKeys } from "#api/platform/signing-keys.ts";

const now = new Date("2026-03-01T00:00:00.000Z");
const KEEP = 15 * DAY;
const one = (): KeySet => ({ keys: [generateSigningJwk()] });
const kidsOf = (set: KeySet) => set.keys.map((key) => key.kid);
const statesOf = (set: KeySet) => describeKeys(set, KEEP).map((key) => key.state);

describe("rotating signing keys", () => {
  test("a new key waits behind the one that signs", () => {
    const set = one();
    const added = addKey(set);
    expect(kidsOf(added)[0]).toBe(kidsOf(set)[0]);
    expect(statesOf(added)).toEqual(["signs", "waits"]);
    expect(set.keys).toHaveLength(1);
  });

  test("promoted, it signs, and the old one stays, retired at that moment", () => {
    const added = addKey(one());
    const [old, fresh] = kidsOf(added);
    const promoted = promoteKey(added, now);
    expect(kidsOf(promoted)).toEqual([fresh, old]);
    expect(promoted.keys.map((key) => key.retiredAt)).toEqual([undefined, now.toISOString()]);
    expect(describeKeys(promoted, KEEP)[1]).toEqual({ kid: old, state: "retired", neededUntil: after(now, KEEP) });
  });

  test("a retired key can be promoted again, and is no longer retired", () => {
    const promoted = promoteKey(addKey(one()), now);
    const [, old] = kidsOf(promoted);
    const back = promoteKey(promoted, after(now, DAY), old);
    expect(kidsOf(back)[0]).toBe(old);
    expect(back.keys[0]?.retiredAt).toBeUndefined();
    expect(back.keys[1]?.retiredAt).toBe(after(now, DAY).toISOString());
  });

  test("a retired key is dropped once everything it signed has lapsed, and not a second earlier", () => {
    const set = promoteKey(addKey(one()), now);
    const [signing, old] = kidsOf(set);
    expect(kidsOf(pruneKeys(set, after(now, KEEP - SECOND), KEEP))).toEqual([signing, old]);
    expect(() => pruneKeys(set, after(now, KEEP - SECOND), KEEP, old)).toThrow(
      `${old} is needed until 2026-03-16T00:00:00.000Z`,
    );
    expect(kidsOf(pruneKeys(set, after(now, KEEP), KEEP))).toEqual([signing]);
    expect(kidsOf(pruneKeys(set, after(now, KEEP), KEEP, old))).toEqual([signing]);
  });

  test("naming one drops that one alone; neither the signing key nor one that waits is ever dropped", () => {
    const twice = promoteKey(addKey(promoteKey(addKey(one()), now)), now);
    const waiting = addKey(twice);
    const [signing, second, first, fresh] = kidsOf(waiting);
    const late = after(now, 400 * DAY);
    expect(kidsOf(pruneKeys(waiting, late, KEEP, first))).toEqual([signing, second, fresh]);
    expect(kidsOf(pruneKeys(waiting, late, KEEP))).toEqual([signing, fresh]);
    expect(() => pruneKeys(waiting, late, KEEP, signing)).toThrow(`${signing} signs. Promote another key first.`);
    expect(() => pruneKeys(waiting, late, KEEP, fresh)).toThrow("waits to be promoted");
    expect(() => pruneKeys(waiting, late, KEEP, "other")).toThrow("No key has the kid other.");
  });

  test("what cannot be promoted says why", () => {
    const set = one();
    expect(() => promoteKey(set, now)).toThrow("No key waits to be promoted. Add one first.");
    expect(() => promoteKey(set, now, kidsOf(set)[0])).toThrow("signs already.");
    expect(() => promoteKey(set, now, "other")).toThrow("No key has the kid other.");
    expect(() => promoteKey(addKey(addKey(set)), now)).toThrow("Several keys wait.");
  });

  test.each(["", "[]", "null", "{}", '{"keys":[]}', '{"keys":[{"kid":"a"}]}', '{"keys":[null]}'])(
    "%s is no set of keys",
    (json) => {
      expect(() => readKeySet(json)).toThrow("This is no set of private keys");
    },
  );

  test("two keys of one kid are refused", () => {
    const [key] = one().keys;
    expect(() => readKeySet(JSON.stringify({ keys: [key, key] }))).toThrow("Two keys have the same kid.");
  });

  test("a process reads a rotated set, and publishes neither private parts nor when a key was retired", () => {
    const set = promoteKey(addKey(one()), now);
    const keys = loadSigningKeys({ dataDir: "/nowhere", signingKeys: JSON.stringify(readKeySet(JSON.stringify(set))) });
    expect(keys.current.kid).toBe(kidsOf(set)[0]);
    expect(keys.jwks().keys.map((key) => Object.keys(key).toSorted())).toEqual(
      set.keys.map(() => ["alg", "crv", "kid", "kty", "use", "x", "y"]),
    );
  });
});
