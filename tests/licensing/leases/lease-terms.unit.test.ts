import { expect, test } from "vitest";
import { leaseTimeMs } from "#api/licensing/leases/lease-terms.ts";

const MINUTE_MS = 60_000;

test.each([
  ["concurrent", 2, 0, 20 * MINUTE_MS],
  ["concurrent with hours of borrowing", 2, 6, 20 * MINUTE_MS],
  ["floating without a lease period", 1, 0, 20 * MINUTE_MS],
  ["floating with a lease period of 6 hours", 1, 6, 360 * MINUTE_MS],
  ["floating with a lease period of an hour", 1, 1, 60 * MINUTE_MS],
])("a licence that is %s keeps a seat for two heartbeats or its period", (_name, type, leaseHours, expected) => {
  expect(leaseTimeMs({ licenceActivationType: type, heartbeatMinutes: 10, leaseHours })).toBe(expected);
});
