import { afterEach, describe, expect, test } from "vitest";
import { cleanUpLeases } from "#api/licensing/leases/clean-up-leases.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { HOUR, MINUTE } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { callAddinFrom, toMachine } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
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

const running = (licence: Licence) =>
  em().count(Lease, { licence: licence.id, endedAt: null, expiresAt: { $gt: app.clock.now() } });

describe("heartbeat", () => {
  test("extends the seat in one database statement", async () => {
    const licence = await seats(2);
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device)).json;
    await heartbeat(licence, device, data.lease.id);
    app.clock.setOffset(15 * MINUTE);
    const statements = await recordStatements(async () => {
      const { json } = await heartbeat(licence, device, data.lease.id);
      expect(json.data).toMatchObject({ valid: true, lease: { id: data.lease.id, inUse: 1, seats: 2 } });
      expect(minutesUntil(json.data.lease.expiresAtUtc, json.data)).toBe(30);
      expect(json.data.graceUntilUtc).toBe(json.data.lease.expiresAtUtc);
    });
    expect(statements).toHaveLength(1);
  });

  test("takes an available seat again under the same id if it arrives late", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device)).json;
    app.clock.setOffset(3 * HOUR);
    await runSweep(app.services, cleanUpLeases);
    const { json } = await heartbeat(licence, device, data.lease.id);
    expect(json.data).toMatchObject({ valid: true, lease: { id: data.lease.id, inUse: 1 } });
    expect(await running(licence)).toBe(1);
  });

  test("returns LEASE_EXPIRED if it arrives late and no seat is available", async () => {
    const licence = await seats(1);
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { data } = (await buildLease(app, licence, ada)).json;
    app.clock.setOffset(31 * MINUTE);
    const bobs = (await buildLease(app, licence, bob)).json.data.lease.id;
    const { json } = await heartbeat(licence, ada, data.lease.id);
    expect(json.data).toMatchObject({ valid: false, resultCode: 31, code: "LEASE_EXPIRED" });
    expect((await heartbeat(licence, bob, bobs)).json.data.valid).toBe(true);
  });

  test("returns LEASE_NOT_FOUND for a seat that is released, unknown or another device's", async () => {
    const licence = await seats(2);
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { data } = (await buildLease(app, licence, ada)).json;
    expect((await heartbeat(licence, bob, data.lease.id)).json.data.resultCode).toBe(32);
    expect((await heartbeat(licence, ada, crypto.randomUUID())).json.data.resultCode).toBe(32);
    await release(licence, ada, data.lease.id);
    expect((await heartbeat(licence, ada, data.lease.id)).json.data.resultCode).toBe(32);
    expect((await heartbeat(licence, ada, "no-id")).status).toBe(400);
  });

  test.each(refusals)("is refused on a licence %s (code %i), and extends nothing", async (_state, code, turn, said) => {
    const owner = await createUser(app);
    const licence = await createConcurrentLicence(app, owner, { numberOfUsers: 2 });
    const device = await createDevice(app, licence);
    const { id, expiresAt } = await createLease(app, device);
    await turn({ app, owner, licence, device });
    app.clock.setOffset(MINUTE);
    const { json } = await heartbeat(licence, device, id, { machine: toMachine(device, said) });
    expect(json.data).toMatchObject({ valid: false, resultCode: code });
    for (const member of ["lease", "graceUntilUtc"]) expect(json.data).not.toHaveProperty(member);
    expect((await em().findOneOrFail(Lease, id)).expiresAt).toEqual(expiresAt);
  });

  test("adds one history row an hour, with a count", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const { id } = await createLease(app, device);
    for (const minutes of [0, 15, 30, 45, 62, 77]) {
      app.clock.setOffset(minutes * MINUTE);
      expect((await heartbeat(licence, device, id)).json.data.valid).toBe(true);
    }
    const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { at: "asc" } });
    expect(events.map(({ kind, count, at, lastAt }) => [kind, count, Math.round((+lastAt - +at) / MINUTE)])).toEqual([
      ["heartbeat", 4, 45],
      ["heartbeat", 2, 15],
    ]);
  });
});

describe("release", () => {
  test("releases the seat with a message, and repeats the same answer", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const { data } = (await buildLease(app, licence, device)).json;
    for (let again = 0; again < 2; again++) {
      const { json } = await release(licence, device, data.lease.id);
      expect(json.data).toMatchObject({ valid: true, resultCode: 1, message: "The seat was given back." });
      expect(json.data).not.toHaveProperty("graceUntilUtc");
      expect(await running(licence)).toBe(0);
    }
  });

  test("works on an expired licence", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const { id } = await createLease(app, device);
    await app.services.pool.query("update licences set revoked_at = now() where id = $1", [licence.id]);
    expect((await release(licence, device, id)).json.data.resultCode).toBe(1);
    expect(await running(licence)).toBe(0);
  });

  test("is refused for another device's seat", async () => {
    const licence = await seats(2);
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { id } = await createLease(app, ada);
    expect((await release(licence, bob, id)).json.data.resultCode).toBe(32);
    expect(await running(licence)).toBe(1);
  });

  test("lets the same session take a seat again", async () => {
    const licence = await seats(1);
    const device = await createDevice(app, licence);
    const first = (await buildLease(app, licence, device, { sessionId: "one" })).json.data.lease;
    await release(licence, device, first.id);
    const next = (await buildLease(app, licence, device, { sessionId: "one" })).json.data.lease;
    expect(next.inUse).toBe(1);
    expect((await heartbeat(licence, device, next.id)).json.data.valid).toBe(true);
  });
});
