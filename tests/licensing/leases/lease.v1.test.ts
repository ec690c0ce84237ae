import { afterEach, expect, test } from "vitest";
import { cleanUpLeases } from "#api/licensing/leases/release-lease.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { ResultCode } from "#schema/result-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { callAddinFrom, toMachine } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { type RestResponse, startTestApp } from "#tests/support/test-app.ts";
import { refusals } from "./refusals.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app, { annualDeactivationLimit: 100 });

afterEach(() => app.clock.setOffset(0));

const running = (licence: Licence) =>
  em().count(Lease, { licence: licence.id, endedAt: null, expiresAt: { $gt: app.clock.now() } });

const seats = (numberOfUsers: number, changes: Partial<Licence> = {}) =>
  createConcurrentLicence(app, user, { numberOfUsers, ...changes });

type Call = (licence: Licence, device: Device, leaseId: string, more?: object) => Promise<RestResponse>;
const heartbeat: Call = (licence, device, leaseId, more) =>
  callAddinFrom(app, device, "heartbeat", licence, { leaseId, ...more });
const release: Call = (licence, device, leaseId, more) =>
  callAddinFrom(app, device, "release", licence, { leaseId, ...more });

/** Creates a licence with seats and two devices. The first device takes a seat, unless its request is refused. */
async function takeSeat(numberOfUsers = 1, changes: Partial<Licence> = {}, request: object = {}) {
  const licence = await seats(numberOfUsers, changes);
  const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
  const { data } = (await buildLease(app, licence, ada, { ...request })).json;
  return { licence, ada, bob, data, id: data.lease?.id as string };
}

/** Returns the minutes from a response's server time until `utc`, rounded to the nearest minute. */
const minutesUntil = (utc: string, data: { serverTimeUtc: string }) =>
  Math.round((Date.parse(utc) - Date.parse(data.serverTimeUtc)) / MINUTE);

test("takes a seat for each session for two heartbeat intervals while seats are left, and records refusals", async () => {
  const licence = await seats(2, { floatingHeartBeatIntervalMinutes: 20 });
  const device = await createDevice(app, licence);
  await buildLease(app, licence, device);
  const { data } = (await buildLease(app, licence, device, { sessionId: "one" })).json;
  expect(data).toMatchObject({
    valid: true,
    machine: { id: device.id },
    lease: { heartbeatIntervalMinutes: 20, inUse: 2, seats: 2 },
    graceUntilUtc: data.lease.expiresAtUtc,
    validateAfterUtc: data.lease.expiresAtUtc,
  });
  expect(minutesUntil(data.lease.expiresAtUtc, data)).toBe(40);
  app.clock.setOffset(10 * MINUTE);
  const again = (await buildLease(app, licence, device, { sessionId: "one" })).json.data;
  expect(again.lease).toMatchObject({ id: data.lease.id, inUse: 2 });
  expect(minutesUntil(again.lease.expiresAtUtc, again)).toBe(40);
  const refused = (await buildLease(app, licence, device)).json.data;
  expect(refused).toMatchObject({ valid: false, resultCode: 30, code: "NO_SEATS_AVAILABLE" });
  for (const member of ["lease", "graceUntilUtc"]) expect(refused).not.toHaveProperty(member);
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map(({ kind, resultCode, deviceId }) => [kind, resultCode, deviceId])).toEqual([
    ["lease", 1, device.id],
    ["lease", 30, device.id],
  ]);
});

test("a lease makes its seat available the moment it lapses, without a sweep", async () => {
  const { licence, bob } = await takeSeat();
  app.clock.setOffset(30 * MINUTE - 1_000);
  expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(30);
  app.clock.setOffset(30 * MINUTE + 1_000);
  expect((await buildLease(app, licence, bob)).json.data).toMatchObject({ resultCode: 1, lease: { inUse: 1 } });
});

test("a lease needs no seat on a licence without seats", async () => {
  const single = await createLicence(app, user);
  const { data } = (await buildLease(app, single, await createDevice(app, single))).json;
  expect(data).toMatchObject({ valid: true, code: "VALID" });
  expect(data).not.toHaveProperty("lease");
  expect(await running(single)).toBe(0);
});

test("a lease is refused for invalid values", async () => {
  const licence = await seats(1);
  const device = await createDevice(app, licence);
  for (const changes of [
    { sessionId: "" },
    { borrowHours: 0 },
    { borrowHours: 25 },
    { borrowHours: 1.5 },
    { borrowHours: "8" },
  ]) {
    const answer = await buildLease(app, licence, device, changes);
    expect([changes, answer.status, Object.keys(answer.json)]).toEqual([changes, 400, Object.keys(changes)]);
  }
});

const borrowed = async (limitFloatingLeasePeriodToHours: number, borrowHours: number) => {
  const taken = await takeSeat(1, { limitFloatingLeasePeriodToHours }, { borrowHours });
  return { ...taken, hours: minutesUntil(taken.data.lease.expiresAtUtc, taken.data) / 60 };
};

test("a borrowed seat lasts as long as requested with its grace period, but at most as long as the licence allows", async () => {
  const { hours, data } = await borrowed(8, 5);
  expect(hours).toBe(5);
  expect(data.graceUntilUtc).toBe(data.lease.expiresAtUtc);
  const none = await borrowed(0, 24);
  expect([(await borrowed(8, 24)).hours, none.hours]).toEqual([8, 0.5]);
  expect((await em().findOneOrFail(Lease, none.id)).borrowedUntil).toBeNull();
});

test("a borrowed seat is not shortened by a heartbeat, another request or a validation", async () => {
  const { licence, ada, id, data } = await borrowed(8, 8);
  const { expiresAtUtc } = data.lease;
  expect((await heartbeat(licence, ada, id)).json.data.lease.expiresAtUtc).toBe(expiresAtUtc);
  const { sessionId } = await em().findOneOrFail(Lease, id);
  expect((await buildLease(app, licence, ada, { sessionId })).json.data.lease.expiresAtUtc).toBe(expiresAtUtc);
  expect((await callAddinFrom(app, ada, "validate", licence)).json.data.graceUntilUtc).toBe(expiresAtUtc);
});

test("a borrowed seat keeps the seat in use, and can be released early", async () => {
  const { licence, ada, bob, id } = await borrowed(8, 8);
  app.clock.setOffset(7 * HOUR);
  expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(30);
  await release(licence, ada, id);
  expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(1);
});

test("a lease and a heartbeat are refused in every state that refuses a validation, and change nothing", async () => {
  for (const [state, code, turn, said] of refusals) {
    const owner = await createUser(app);
    const licence = await createConcurrentLicence(app, owner, { numberOfUsers: 2 });
    const device = await createDevice(app, licence);
    const { id, expiresAt } = await createLease(app, device);
    await turn({ app, owner, licence, device });
    app.clock.setOffset(MINUTE);
    const changes = { machine: toMachine(device, said) };
    for (const { json } of [
      await heartbeat(licence, device, id, changes),
      await buildLease(app, licence, device, changes),
    ]) {
      expect(json.data, state).toMatchObject({ valid: false, resultCode: code });
      for (const member of ["lease", "graceUntilUtc"]) expect(json.data).not.toHaveProperty(member);
    }
    app.clock.setOffset(0);
    expect(await em().find(Lease, { licence: licence.id })).toMatchObject([{ id, expiresAt }]);
    // What another machine or a deactivated device asks isn't recorded as the device's.
    const isOfDevice = code !== ResultCode.FINGERPRINT_MISMATCH && code !== ResultCode.NOT_ACTIVATED;
    const events = await em().find(LicenceEvent, { licenceId: licence.id, kind: "lease" });
    expect([state, events.map(({ deviceId }) => deviceId)]).toEqual([state, [isOfDevice ? device.id : null]]);
  }
});

test("a heartbeat stores no Windows user of a deleted account whose devices aren't all deactivated yet", async () => {
  const now = app.clock.now();
  const licence = await createConcurrentLicence(app, await createUser(app, { deletedAt: now, archivedAt: now }));
  const device = await createDevice(app, licence);
  const { id } = await createLease(app, device, { endedAt: now, endedBy: "device-freed" });
  const { json } = await heartbeat(licence, device, id, { machine: toMachine(device, { osUser: "SITE\\ada" }) });
  expect(json.data.resultCode).toBe(ResultCode.ACCOUNT_INACTIVE);
  expect((await em().findOneOrFail(Lease, id)).osUser).toBeNull();
});

test("a heartbeat extends the seat in one database statement", async () => {
  const { licence, ada, id } = await takeSeat(2);
  await heartbeat(licence, ada, id);
  app.clock.setOffset(15 * MINUTE);
  const statements = await recordStatements(async () => {
    const { json } = await heartbeat(licence, ada, id);
    expect(json.data).toMatchObject({ valid: true, lease: { id, inUse: 1, seats: 2 } });
    expect(minutesUntil(json.data.lease.expiresAtUtc, json.data)).toBe(30);
    expect(json.data.graceUntilUtc).toBe(json.data.lease.expiresAtUtc);
  });
  expect(statements).toHaveLength(1);
});

test("a heartbeat takes an available seat again under the same id if it arrives late", async () => {
  const { licence, ada, id } = await takeSeat();
  app.clock.setOffset(3 * HOUR);
  await runSweep(app.services, cleanUpLeases);
  expect((await heartbeat(licence, ada, id)).json.data).toMatchObject({ valid: true, lease: { id, inUse: 1 } });
  expect(await running(licence)).toBe(1);
  const { lastSeenAt } = await em().findOneOrFail(Device, ada.id);
  expect(lastSeenAt.getTime() - ada.lastSeenAt.getTime()).toBeGreaterThan(2 * HOUR);
});

test("a heartbeat returns LEASE_EXPIRED if it arrives late and no seat is available", async () => {
  const { licence, ada, bob, id } = await takeSeat();
  app.clock.setOffset(31 * MINUTE);
  const bobs = (await buildLease(app, licence, bob)).json.data.lease.id;
  const { json } = await heartbeat(licence, ada, id);
  expect(json.data).toMatchObject({ valid: false, resultCode: 31, code: "LEASE_EXPIRED" });
  expect((await heartbeat(licence, bob, bobs)).json.data.valid).toBe(true);
});

test("a heartbeat returns LEASE_NOT_FOUND for a seat that is released, unknown or another device's", async () => {
  const { licence, ada, bob, id } = await takeSeat(2);
  expect((await heartbeat(licence, bob, id)).json.data.resultCode).toBe(32);
  expect((await heartbeat(licence, ada, crypto.randomUUID())).json.data.resultCode).toBe(32);
  await release(licence, ada, id);
  expect((await heartbeat(licence, ada, id)).json.data.resultCode).toBe(32);
  expect((await heartbeat(licence, ada, "no-id")).status).toBe(400);
});

test("a release gives the seat back with a message, repeats the same answer, and lets the session take a seat again", async () => {
  const { licence, ada, id } = await takeSeat(1, {}, { sessionId: "one" });
  for (let again = 0; again < 2; again++) {
    const { json } = await release(licence, ada, id);
    expect(json.data).toMatchObject({ valid: true, resultCode: 1, message: "The seat was given back." });
    expect(json.data).not.toHaveProperty("graceUntilUtc");
    expect(await running(licence)).toBe(0);
  }
  const next = (await buildLease(app, licence, ada, { sessionId: "one" })).json.data.lease;
  expect([next.inUse, (await heartbeat(licence, ada, next.id)).json.data.valid]).toEqual([1, true]);
});

test("a release works on a revoked licence, but not for another device's seat", async () => {
  const { licence, ada, bob, id } = await takeSeat(2);
  expect([(await release(licence, bob, id)).json.data.resultCode, await running(licence)]).toEqual([32, 1]);
  await app.services.pool.query("update licences set revoked_at = now() where id = $1", [licence.id]);
  expect([(await release(licence, ada, id)).json.data.resultCode, await running(licence)]).toEqual([1, 0]);
});

test("a deactivated device releases its seats", async () => {
  const { licence, ada, bob, id } = await takeSeat();
  await callAddinFrom(app, ada, "deactivate", licence, { reason: "Device change" });
  expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(1);
  expect((await heartbeat(licence, ada, id)).json.data.resultCode).toBe(21);
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

// The last test of the file, because the minimum version applies to all tests after it.
test("checks seats before the version: an old add-in is refused for its version only if a seat is available", async () => {
  await publishTestBuild(app, "7.3.0");
  await setMinimumVersion(app.context(), 4, "7.3.0");
  const [old, now] = [{ addInVersion: "7.2.0" }, { addInVersion: "7.3.0" }];
  const { licence, ada, bob, data: refused } = await takeSeat(1, {}, old);
  expect([refused.resultCode, await em().count(Lease, { licence: licence.id })]).toEqual([51, 0]);

  const lapsed = await createLease(app, ada, { expiresAt: addMilliseconds(app.clock.now(), -MINUTE) });
  expect((await heartbeat(licence, ada, lapsed.id, old)).json.data.resultCode).toBe(51);
  const { data } = (await buildLease(app, licence, bob, now)).json;
  expect([data.resultCode, (await buildLease(app, licence, ada, old)).json.data.resultCode]).toEqual([1, 30]);
  expect((await heartbeat(licence, ada, lapsed.id, old)).json.data.resultCode).toBe(31);
  expect((await heartbeat(licence, bob, data.lease.id, old)).json.data.resultCode).toBe(51);
});
