import { expect, test } from "vitest";
import type { MachineRequest } from "#schema/protocol.ts";
import { buildAddinData } from "#api/licensing/licences/addin.json.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import type { LicenceFacts } from "#api/licensing/licences/licence-checks.ts";

const now = new Date("2026-05-01T00:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const inMs = (ms: number) => new Date(now.getTime() + ms);

const licence: LicenceFacts = {
  licenceId: "licence",
  productLevel: 2,
  licenceType: 1,
  licenceActivationType: 0,
  heartbeatMinutes: 10,
  leaseHours: 0,
  seats: 5,
  expiresAtMs: inMs(365 * DAY_MS).getTime(),
  isPaymentOverdue: false,
};

function build(answer: Partial<LicenceAnswer>, clientTimeUtc = now) {
  const request = { clientTimeUtc, machine: { fingerprint: "print" } } as MachineRequest;
  return buildAddinData(request, { code: "VALID", licence, ...answer }, now);
}
const buildWithoutLicence = () => build({ licence: undefined } as never);
const getGraceMs = (facts: Partial<LicenceFacts>, answer: Partial<LicenceAnswer> = {}) =>
  (build({ licence: { ...licence, ...facts }, ...answer }).graceUntil?.getTime() ?? 0) - now.getTime();
const getWarnings = (facts: Partial<LicenceFacts>, answer: Partial<LicenceAnswer> = {}) =>
  build({ licence: { ...licence, ...facts }, ...answer }).data.warnings;

test.each([
  ["two weeks on a paid licence", {}, 14 * DAY_MS],
  ["a day on a trial", { productLevel: 3 }, DAY_MS],
  ["a lease on a concurrent licence", { licenceActivationType: 2 }, 20 * MINUTE_MS],
  ["never after the expiry", { expiresAtMs: inMs(DAY_MS).getTime() }, DAY_MS],
])("the add-in may run for %s", (_name, facts, expected) => {
  expect(getGraceMs(facts)).toBe(expected);
});

test("the add-in may run until the end of its seat, which a check doesn't shorten", () => {
  const shared = { licenceActivationType: 2 };
  const lease = { id: "lease", expiresAt: inMs(5 * MINUTE_MS), inUse: 2 };
  expect(getGraceMs(shared, { lease, leasedUntil: inMs(DAY_MS) })).toBe(5 * MINUTE_MS);
  expect(getGraceMs({ ...shared, expiresAtMs: inMs(MINUTE_MS).getTime() }, { lease })).toBe(MINUTE_MS);
  expect(getGraceMs(shared, { leasedUntil: inMs(DAY_MS) })).toBe(DAY_MS);
  expect(getGraceMs(shared, { leasedUntil: inMs(MINUTE_MS) })).toBe(20 * MINUTE_MS);
});

test("the add-in checks again after a day, or at the end of a shorter grace", () => {
  expect(build({}).data).toMatchObject({
    validateAfterUtc: inMs(DAY_MS).toISOString(),
    graceUntilUtc: inMs(14 * DAY_MS).toISOString(),
  });
  const shared = build({ licence: { ...licence, licenceActivationType: 2 } }).data;
  expect(shared.validateAfterUtc).toBe(inMs(20 * MINUTE_MS).toISOString());
});

test("the add-in may run only with a valid licence", () => {
  for (const refused of [build({ code: "LICENCE_EXPIRED" }), buildWithoutLicence()]) {
    expect(refused.graceUntil).toBeNull();
    expect(Object.keys(refused.data)).not.toContain("validateAfterUtc");
  }
});

test("warnings name what the customer should do soon", () => {
  expect(getWarnings({})).toEqual([]);
  expect(getWarnings({ isPaymentOverdue: true, isUpdateAvailable: true })).toEqual([
    "PAYMENT_OVERDUE",
    "UPDATE_AVAILABLE",
  ]);
  expect(getWarnings({ expiresAtMs: inMs(7 * DAY_MS).getTime() })).toEqual(["EXPIRING_SOON"]);
  expect(getWarnings({ expiresAtMs: inMs(7 * DAY_MS + 1).getTime() })).toEqual([]);
});

test("warnings about the licence come only with a valid answer", () => {
  expect(getWarnings({ isPaymentOverdue: true }, { code: "LICENCE_REVOKED" })).toEqual([]);
});

test.each([-1, 1])("warnings include a clock that is more than 5 minutes off, also in the sandbox", (direction) => {
  expect(build({}, inMs(direction * 5 * MINUTE_MS)).data.warnings).toEqual([]);
  for (const code of ["VALID", "LICENCE_EXPIRED"] as const)
    expect(build({ code }, inMs(direction * (5 * MINUTE_MS + 1))).data.warnings).toEqual(["CLOCK_SKEW"]);
  expect(getWarnings({}, { sandbox: { isClockSkewed: true } })).toEqual(["CLOCK_SKEW"]);
  expect(getWarnings({}, { sandbox: { isClockSkewed: false } })).toEqual([]);
});

test("an answer contains what belongs to it, and no field without a value", () => {
  const expected = "valid resultCode code message warnings serverTimeUtc";
  expect(Object.keys(buildWithoutLicence().data).join(" ")).toBe(expected);
  const lastSeenAt = inMs(-DAY_MS);
  expect(
    build({
      message: "Done.",
      deviceId: "device",
      machineToken: "token",
      licenceCode: "code",
      machines: [{ id: "other", machineName: "PC|1", lastSeenAt, activatedAt: inMs(-2 * DAY_MS) }],
      deactivationsRemaining: 0,
      usageRemaining: 0,
      sandbox: { isClockSkewed: false },
      lease: { id: "lease", expiresAt: inMs(MINUTE_MS), inUse: 2 },
    }).data,
  ).toEqual({
    valid: true,
    resultCode: 1,
    code: "VALID",
    message: "Done.",
    warnings: [],
    serverTimeUtc: now.toISOString(),
    sandbox: true,
    licence: {
      id: "licence",
      productLevel: 2,
      licenceType: 1,
      licenceActivationType: 0,
      features: ["schedule", "health-checks", "costs", "resources"],
      expiryDateUtc: inMs(365 * DAY_MS).toISOString(),
    },
    machine: { id: "device" },
    machineToken: "token",
    lease: {
      id: "lease",
      expiresAtUtc: inMs(MINUTE_MS).toISOString(),
      heartbeatIntervalMinutes: 10,
      inUse: 2,
      seats: 5,
    },
    licenceCode: "code",
    machines: [
      {
        id: "other",
        machineName: "PC",
        lastSeenUtc: lastSeenAt.toISOString(),
        activatedUtc: inMs(-2 * DAY_MS).toISOString(),
      },
    ],
    deactivationsRemaining: 0,
    usageRemaining: 0,
    validateAfterUtc: inMs(MINUTE_MS).toISOString(),
    graceUntilUtc: inMs(MINUTE_MS).toISOString(),
  });
});
