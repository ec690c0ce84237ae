import { afterEach, describe, expect, test } from "vitest";
import { cleanUpLeases } from "#api/licensing/leases/clean-up-leases.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { callAddin, callAddinFrom, toMachine } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { refusals } from "./refusals.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app, { annualDeactivationLimit: 100 });

afterEach(() => app.clock.setOffset(0));

const seats = (numberOfUsers: number, changes: Partial<Licence> = {}) =>
  createConcurrentLicence(app, user, { numberOfUsers, ...changes });

const heartbeat = (licence: Licence, device: Awaited<ReturnType<typeof createDevice>>, leaseId: string, more = {}) =>
  callAddinFrom(app, device, "heartbeat", licence, { leaseId, ...more });

const release = (licence: Licence, device: Awaited<ReturnType<typeof createDevice>>, leaseId: string, more = {}) =>
  callAddinFrom(app, device, "release", licence, { leaseId, ...more });

/** Returns the whole minutes between an answer's server time and another time in it. */
const minutesUntil = (utc: string, data: { serverTimeUtc: string }) =>
  Math.round((Date.parse(utc) - Date.parse(data.serverTimeUtc)) / MINUTE);

describe("lease", () => {
  test("takes a seat for two heartbeat intervals, and returns the number in use", async () => {
    const licence = await seats(3, { floatingHeartBeatIntervalMinutes: 20 });
    const device = await createDevice(app, licence);
    await buildLease(app, licence, device);
    const { status, json } = await buildLease(app, licence, device);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      valid: true,
      resultCode: 1,
      machine: { id: device.id },
      lease: { heartbeatIntervalMinutes: 20, inUse: 2, seats: 3 },
    });
    const { lease: given, graceUntilUtc, validateAfterUtc } = json.data;
    expect(minutesUntil(given.expiresAtUtc, json.data)).toBe(40);
    expect([graceUntilUtc, validateAfterUtc]).toEqual([given.expiresAtUtc, given.expiresAtUtc]);
  });

  test("is extended for the same device and session", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const first = await buildLease(app, licence, device, { sessionId: "one" });
    app.clock.setOffset(10 * MINUTE);
    const again = await buildLease(app, licence, device, { sessionId: "one" });
    expect(again.json.data.lease).toMatchObject({ id: first.json.data.lease.id, inUse: 1 });
    expect(Date.parse(again.json.data.lease.expiresAtUtc)).toBeGreaterThan(
      Date.parse(first.json.data.lease.expiresAtUtc) + 9 * MINUTE,
    );
  });

  test("takes another seat for another session on the same device", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    await buildLease(app, licence, device);
    const { json } = await buildLease(app, licence, device);
    expect(json.data).toMatchObject({ valid: false, resultCode: 30, code: "NO_SEATS_AVAILABLE" });
    expect(json.data).not.toHaveProperty("lease");
    expect(json.data).not.toHaveProperty("graceUntilUtc");
  });

  test("makes its seat available the moment it lapses, without a sweep", async () => {
    const licence = await seats(1);
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    await buildLease(app, licence, ada);
    app.clock.setOffset(30 * MINUTE - 1_000);
    expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(30);
    app.clock.setOffset(30 * MINUTE + 1_000);
    expect((await buildLease(app, licence, bob)).json.data).toMatchObject({ resultCode: 1, lease: { inUse: 1 } });
  });

  test("is not needed on a licence without seats", async () => {
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    const { json } = await buildLease(app, licence, device);
    expect(json.data).toMatchObject({ valid: true, resultCode: 1, graceUntilUtc: expect.any(String) });
    expect(json.data).not.toHaveProperty("lease");
  });

  test("lasts for the lease period on an old floating licence", async () => {
    const licence = await seats(1, { licenceActivationType: 1, limitFloatingLeasePeriodToHours: 8 });
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device)).json;
    expect(minutesUntil(data.lease.expiresAtUtc, data)).toBe(8 * 60);
  });

  test("never extends grace past the licence's expiry", async () => {
    const licence = await seats(1, { expiresAt: addMilliseconds(app.clock.now(), 10 * MINUTE) });
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device)).json;
    expect(data.graceUntilUtc).toBe(data.licence.expiryDateUtc);
  });

  test("is recorded in the history, including refusals", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    await buildLease(app, licence, device);
    await buildLease(app, licence, device);
    const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
    expect(events.map(({ kind, resultCode, deviceId }) => ({ kind, resultCode, deviceId }))).toEqual([
      { kind: "lease", resultCode: 1, deviceId: device.id },
      { kind: "lease", resultCode: 30, deviceId: device.id },
    ]);
  });

  test.each(refusals)("is refused on a licence %s (code %i), and takes no seat", async (_state, code, turn, said) => {
    const owner = await createUser(app);
    const licence = await createConcurrentLicence(app, owner);
    const device = await createDevice(app, licence);
    await turn({ app, owner, licence, device });
    const { json } = await buildLease(app, licence, device, { machine: toMachine(device, said) });
    expect(json.data).toMatchObject({ valid: false, resultCode: code });
    for (const member of ["lease", "graceUntilUtc"]) expect(json.data).not.toHaveProperty(member);
    expect(await em().count(Lease, { licence: licence.id })).toBe(0);
  });

  test("is refused for an unknown code or token", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    expect((await buildLease(app, licence, device, { machineToken: "unknown" })).status).toBe(401);
    const { json } = await callAddin(
      app,
      "lease",
      { licenceCode: generateLicenceCode() },
      { machineToken: "x", sessionId: "s" },
    );
    expect(json.data.resultCode).toBe(10);
  });

  test.each([
    [{ sessionId: "" }, "sessionId"],
    [{ borrowHours: 0 }, "borrowHours"],
    [{ borrowHours: 25 }, "borrowHours"],
    [{ borrowHours: 1.5 }, "borrowHours"],
    [{ borrowHours: "8" }, "borrowHours"],
  ])("is rejected for %j with a 400 that names the field", async (changes, field) => {
    const licence = await seats(1);
    const answer = await buildLease(app, licence, await createDevice(app, licence), changes);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json)).toEqual([field]);
  });
});

describe("borrowing a seat", () => {
  const borrowed = async (allowed: number, borrowHours: number) => {
    const licence = await seats(1, { limitFloatingLeasePeriodToHours: allowed });
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device, { borrowHours })).json;
    return {
      licence,
      device,
      data,
      hours: minutesUntil(data.lease.expiresAtUtc, data) / 60,
    };
  };

  test("lasts as long as requested, with a grace period of the same length", async () => {
    const { hours, data } = await borrowed(8, 5);
    expect(hours).toBe(5);
    expect(data.graceUntilUtc).toBe(data.lease.expiresAtUtc);
  });

  test("lasts at most as long as the licence allows", async () => {
    expect((await borrowed(8, 24)).hours).toBe(8);
    expect((await borrowed(0, 24)).hours).toBe(0.5);
  });

  test("is not shortened by a heartbeat, another request or a validation", async () => {
    const { licence, device, data } = await borrowed(8, 8);
    const { id, expiresAtUtc } = data.lease;
    expect((await heartbeat(licence, device, id)).json.data.lease.expiresAtUtc).toBe(expiresAtUtc);
    const { sessionId } = await em().findOneOrFail(Lease, id);
    expect((await buildLease(app, licence, device, { sessionId })).json.data.lease.expiresAtUtc).toBe(expiresAtUtc);
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.graceUntilUtc).toBe(expiresAtUtc);
  });

  test("keeps the seat in use, and can be released early", async () => {
    const { licence, device, data } = await borrowed(8, 8);
    const other = await createDevice(app, licence);
    app.clock.setOffset(7 * HOUR);
    expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(30);
    await release(licence, device, data.lease.id);
    expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(1);
  });
});

describe("deactivated device", () => {
  test("releases its seats", async () => {
    const licence = await seats(1);
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { data } = (await buildLease(app, licence, ada)).json;
    await callAddinFrom(app, ada, "deactivate", licence, { reason: "Device change" });
    expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(1);
    expect((await heartbeat(licence, ada, data.lease.id)).json.data.resultCode).toBe(21);
  });
});

test("marks lapsed leases, deletes those that ended long ago, and leaves running ones unchanged", async () => {
  const licence = await seats(5);
  const device = await createDevice(app, licence);
  const now = app.clock.now();
  const runs = await createLease(app, device);
  const lapsed = await createLease(app, device, { expiresAt: addMilliseconds(now, -MINUTE) });
  const old = await createLease(app, device, {
    expiresAt: addMilliseconds(now, -31 * DAY),
    endedAt: addMilliseconds(now, -31 * DAY),
  });
  await runSweep(app.services, cleanUpLeases);
  const ends = await em().find(Lease, { licence: licence.id });
  expect(new Map(ends.map(({ id, endedBy }) => [id, endedBy]))).toEqual(
    new Map([
      [runs.id, null],
      [lapsed.id, "lapse"],
    ]),
  );
  expect(ends.some(({ id }) => id === old.id)).toBe(false);
});
