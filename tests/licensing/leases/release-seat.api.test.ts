import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const owner = await createCorporateUser(app);
const ownToken = await signInAs(app, owner);
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();

const releaseSeat = (leaseId: string, token = admin) =>
  app.graphql("mutation ($leaseId: ID!) { freeSeat(leaseId: $leaseId) { id leases { id } } }", { leaseId }, token);

describe("releaseSeat", () => {
  test("gives the seat to the next request; the previous holder gets LEASE_NOT_FOUND and can request another", async () => {
    const licence = await createConcurrentLicence(app, owner, { numberOfUsers: 1 });
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const seat = (await buildLease(app, licence, ada)).json.data.lease;
    expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(30);

    const { data } = await releaseSeat(seat.id);
    expect(data.freeSeat).toEqual({ id: licence.id, leases: [] });
    expect(await em().findOneOrFail(Lease, seat.id)).toMatchObject({ endedBy: "admin", endedAt: expect.any(Date) });
    const late = await callAddinFrom(app, ada, "heartbeat", licence, { leaseId: seat.id });
    expect(late.json.data.resultCode).toBe(32);
    expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(1);

    const [entry, ...others] = await em().find(AuditEntry, { subjectId: seat.id });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: "free-seat",
      subjectType: "lease",
      subjectName: `${ada.machineName} on ${licence.supportCode}`,
      userId: owner.id,
    });
    expect(await em().find(LicenceEvent, { licenceId: licence.id, kind: "free-seat" })).toMatchObject([
      { resultCode: 1, deviceId: ada.id, machineName: ada.machineName },
    ]);
  });

  test("ignores a lease that was released or has lapsed, and writes nothing", async () => {
    const licence = await createConcurrentLicence(app, owner);
    const device = await createDevice(app, licence);
    const now = app.clock.now();
    const released = await createLease(app, device, { endedAt: now, endedBy: "release" });
    const lapsed = await createLease(app, device, { expiresAt: addMilliseconds(now, -MINUTE) });
    for (const { id } of [released, lapsed]) expect((await releaseSeat(id)).errors).toBeUndefined();
    expect(await em().findOneOrFail(Lease, released.id)).toMatchObject({ endedBy: "release" });
    expect(await em().findOneOrFail(Lease, lapsed.id)).toMatchObject({ endedBy: null });
    expect(await em().count(AuditEntry, { subjectId: { $in: [released.id, lapsed.id] } })).toBe(0);
  });

  test("is for admins only; returns NOT_FOUND for an unknown lease", async () => {
    const licence = await createConcurrentLicence(app, owner);
    const seat = await createLease(app, await createDevice(app, licence));
    expect((await releaseSeat(seat.id, ownToken)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
    for (const id of ["00000000-0000-4000-8000-000000000000", "no-id"])
      expect((await releaseSeat(id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    expect(await em().findOneOrFail(Lease, seat.id)).toMatchObject({ endedAt: null });
  });
});

describe("seat denials", () => {
  const denials = "seatDenials { at code machineName osUser }";
  const note = async (licenceId: string, changes: Partial<LicenceEvent>) => {
    const fork = em();
    const at = changes.at ?? app.clock.now();
    fork.create(LicenceEvent, { at, lastAt: at, kind: "lease", resultCode: 30, licenceId, ...changes });
    await fork.flush();
  };

  test("show the owner the last seven days, newest first, without other refusals", async () => {
    const now = app.clock.now();
    const licence = await createConcurrentLicence(app, owner, { createdAt: addMilliseconds(now, -30 * DAY) });
    await note(licence.id, { machineName: "older", at: addMilliseconds(now, -2 * DAY) });
    await note(licence.id, { machineName: "newer", kind: "heartbeat", resultCode: 31, osUser: "SITE\\bob" });
    await note(licence.id, { machineName: "too old", at: addMilliseconds(now, -8 * DAY) });
    await note(licence.id, { machineName: "another reason", resultCode: 20 });
    const { data } = await app.graphql(
      `query ($id: ID!) { licence(id: $id) { ${denials} } }`,
      { id: licence.id },
      ownToken,
    );
    expect(data.licence.seatDenials).toMatchObject([
      { machineName: "newer", code: "LEASE_EXPIRED", osUser: "SITE\\bob" },
      { machineName: "older", code: "NO_SEATS_AVAILABLE", osUser: null },
    ]);
  });

  test("are read with one statement for any number of licences", async () => {
    const user = await createCorporateUser(app);
    for (let n = 0; n < 4; n++) await note((await createConcurrentLicence(app, user)).id, {});
    const token = await signInAs(app, user);
    const statements = await recordStatements(async () => {
      const { data } = await app.graphql(`{ me { licences { ${denials} } } }`, {}, token);
      expect(data.me.licences.flatMap((one: { seatDenials: object[] }) => one.seatDenials)).toHaveLength(4);
    });
    expect(statements.filter((text) => text.includes("licence_events"))).toHaveLength(1);
  });
});
