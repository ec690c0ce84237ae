import { expect, test } from "vitest";
import { features, hasSeatsByInvoice, isTrialLevel, productLevels } from "#schema/product-level.ts";
import {
  getFeatures,
  LicenceStatus,
  levelsWithFeatures,
  getLicenceStatus,
} from "#api/licensing/licences/licence-status.ts";

const now = new Date("2025-03-05T00:00:00Z");
const earlier = new Date("2025-03-04T00:00:00Z");
const later = new Date("2025-03-06T00:00:00Z");

test.each([
  [LicenceStatus.ACTIVE, { revokedAt: null, suspendedAt: null, expiresAt: later }],
  [LicenceStatus.EXPIRED, { revokedAt: null, suspendedAt: null, expiresAt: earlier }],
  [LicenceStatus.EXPIRED, { revokedAt: null, suspendedAt: null, expiresAt: now }],
  [LicenceStatus.SUSPENDED, { revokedAt: null, suspendedAt: earlier, expiresAt: later }],
  [LicenceStatus.SUSPENDED, { revokedAt: null, suspendedAt: earlier, expiresAt: earlier }],
  [LicenceStatus.REVOKED, { revokedAt: earlier, suspendedAt: earlier, expiresAt: earlier }],
  [LicenceStatus.REVOKED, { revokedAt: earlier, suspendedAt: null, expiresAt: later }],
])("getLicenceStatus returns %s", (status, licence) => {
  expect(getLicenceStatus(licence, now)).toBe(status);
});

test("features by level match the protocol", () => {
  expect([getFeatures(0), getFeatures(1)]).toEqual([["schedule"], ["schedule", "health-checks"]]);
  for (const level of [2, 3, 14, 15, 16, 17]) expect(getFeatures(level)).toEqual(features);
  for (const level of [18, 19]) expect(getFeatures(level)).toEqual([]);
});

test("features by level are known for every level in the catalogue, and empty for unknown levels", () => {
  for (const { value } of productLevels) expect(Array.isArray(getFeatures(value))).toBe(true);
  expect(getFeatures(99)).toEqual([]);
});

test("features by level select every level if no features are required, and only levels with costs if costs are required", () => {
  const expected = productLevels.map(({ value }) => value).toSorted((a, b) => a - b);
  expect(levelsWithFeatures([]).toSorted((a, b) => a - b)).toEqual(expected);
  const able = levelsWithFeatures(["costs", "schedule"]);
  for (const level of [2, 3, 14]) expect(able).toContain(level);
  for (const level of [0, 1, 18, 19]) expect(able).not.toContain(level);
});

test("recognises only trial levels as trials", () => {
  expect(productLevels.filter(({ value }) => isTrialLevel(value)).map(({ value }) => value)).toEqual([3, 13, 8]);
});

test("gives seats by invoice only to the four corporate levels, by number and by code", () => {
  for (const key of ["value", "code"] as const)
    expect(productLevels.filter((level) => hasSeatsByInvoice(level[key])).map(({ value }) => value)).toEqual([
      14, 15, 16, 17,
    ]);
});
