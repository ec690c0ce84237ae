import fc from "fast-check";
import { expect, test } from "vitest";
import { findSameDevice, isOtherHardware, isSameDevice } from "#api/licensing/devices/match-device.ts";

const name = fc.constantFrom("board", "disk", "cpu", "mac", "bios", "ram", "__proto__", "toString");
const hash = fc.constantFrom("a", "b", "c");
const components = fc.dictionary(name, hash, { noNullPrototype: true });
const identity = fc.record({ fingerprint: fc.constantFrom("one", "two", "three"), components });

/** Creates a known device and a reported machine with `total` components each, `equal` of them identical. */
function createPair(total: number, equal: number) {
  const known: Record<string, string> = {};
  const reported: Record<string, string> = {};
  for (let n = 0; n < total; n++) {
    known[`part${n}`] = `hash${n}`;
    reported[`part${n}`] = n < equal ? `hash${n}` : `other${n}`;
  }
  return [
    { fingerprint: "old", components: known },
    { fingerprint: "new", components: reported },
  ] as const;
}

// At least 2 and at least half of the components, rounded up, must be equal.
test("isSameDevice matches if at least half of the components are equal", () => {
  for (const [total, enough] of [
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 3],
    [6, 3],
    [7, 4],
    [8, 4],
  ] as const)
    for (let equal = 0; equal <= total; equal++) {
      const [known, reported] = createPair(total, equal);
      expect(isSameDevice(known, reported), `${equal} of ${total}`).toBe(equal >= enough);
    }
});

test("isSameDevice does not match on a single component or without components", () => {
  const [known, reported] = createPair(1, 1);
  expect(isSameDevice(known, reported)).toBe(false);
  expect(isSameDevice({ fingerprint: "a", components: {} }, { fingerprint: "b", components: {} })).toBe(false);
  expect(isSameDevice({ fingerprint: "a" }, { fingerprint: "b" })).toBe(false);
  expect(isSameDevice({ fingerprint: "a", components: null }, { fingerprint: "b", components: null })).toBe(false);
});

test.each([
  ["blank", "", " "],
  ["filler", "To be filled by O.E.M.", "Default string"],
  [
    "hash of nothing",
    "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
    "d41d8cd98f00b204e9800998ecf8427e",
  ],
  ["repeated character", "00:00:00:00:00:00", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"],
])("isSameDevice ignores values that identify nothing: %s", (_kind, board, disk) => {
  const known = { fingerprint: "a", components: { board, disk, cpu: "c1", mac: "m1" } };
  expect(isSameDevice(known, { fingerprint: "b", components: { board, disk, cpu: "c2", mac: "m2" } })).toBe(false);
  // Two of the two components that count are equal.
  expect(isSameDevice(known, { ...known, fingerprint: "b" })).toBe(true);
  expect(isSameDevice({ fingerprint: board }, { fingerprint: board })).toBe(false);
});

test("isSameDevice matches hexadecimal values in any letter case, and other values only exactly", () => {
  const known = { fingerprint: "4F7C1E9A", components: { disk: "0xAB12CD", mac: "0A:1B:2C:3D:4E:5F" } };
  const inLowerCase = { disk: "0xab12cd", mac: "0a:1b:2c:3d:4e:5f" };
  expect(isSameDevice(known, { fingerprint: "4f7c1e9a" })).toBe(true);
  expect(isSameDevice(known, { fingerprint: "x", components: inLowerCase })).toBe(true);
  expect(isSameDevice({ fingerprint: "q1zX8w==" }, { fingerprint: "Q1zX8w==" })).toBe(false);
});

test("isSameDevice ignores components that only one side has", () => {
  const many = createPair(8, 8)[0].components;
  expect(isSameDevice({ fingerprint: "a", components: {} }, { fingerprint: "b", components: many })).toBe(false);
  expect(isSameDevice({ fingerprint: "a", components: many }, { fingerprint: "b", components: {} })).toBe(false);
});

test("isSameDevice matches if and only if enough components are equal", () => {
  fc.assert(
    fc.property(identity, identity, (known, reported) => {
      const names = Object.keys(known.components);
      const equal = names.filter((one) => reported.components[one] === known.components[one]).length;
      const same = known.fingerprint === reported.fingerprint || (equal >= 2 && equal * 2 >= names.length);
      expect(isSameDevice(known, reported)).toBe(same);
    }),
    { numRuns: 2_000 },
  );
});

const laptop = { fingerprint: "one", components: { board: "b1", disk: "d1", cpu: "c1", mac: "m1" } };
test.each([
  ["a docking station's network card", { mac: "m2" }, false],
  ["missing values", { board: "", disk: "None" }, false],
  ["two other parts", { board: "b2", mac: "m2" }, true],
])("isOtherHardware compares %s", (_name, changes, expected) => {
  expect(isOtherHardware(laptop, { ...laptop, components: { ...laptop.components, ...changes } })).toBe(expected);
});

test("isOtherHardware counts another fingerprint as one changed value", () => {
  expect(isOtherHardware(laptop, { ...laptop, fingerprint: "two" })).toBe(false);
  expect(isOtherHardware(laptop, { fingerprint: "two", components: { ...laptop.components, disk: "d2" } })).toBe(true);
});

test("findSameDevice prefers an equal fingerprint over equal components", () => {
  const [twin, reported] = createPair(4, 4);
  const right = { fingerprint: "new", components: {} };
  expect(findSameDevice([twin, right], reported)).toBe(right);
});

test("findSameDevice prefers the device with the most equal components, then the earlier device", () => {
  const [close] = createPair(4, 4);
  const [, reported] = createPair(4, 4);
  const near = { fingerprint: "near", components: { ...createPair(4, 4)[0].components, part0: "x", part1: "x" } };
  const twin = { fingerprint: "twin", components: { ...close.components } };
  expect(findSameDevice([near, close, twin], reported)).toBe(close);
});

test("findSameDevice finds a device if and only if one matches", () => {
  fc.assert(
    fc.property(fc.array(identity, { maxLength: 6 }), identity, (devices, reported) => {
      const found = findSameDevice(devices, reported);
      expect(found !== null).toBe(devices.some((device) => isSameDevice(device, reported)));
      if (found) expect(isSameDevice(found, reported)).toBe(true);
    }),
  );
});
