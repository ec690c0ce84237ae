import { expect, test } from "vitest";
import { findSameDevice, isOtherHardware, isSameDevice } from "#api/licensing/devices/match-device.ts";

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

test("isSameDevice ignores values that identify nothing", () => {
  const [board, disk] = ["To be filled by O.E.M.", "00:00:00:00:00:00"];
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
  // Every object has these properties.
  const inherited = JSON.parse('{ "__proto__": "a", "toString": "b" }') as Record<string, string>;
  expect(isSameDevice({ fingerprint: "a", components: inherited }, { fingerprint: "b", components: {} })).toBe(false);
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
