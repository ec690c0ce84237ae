import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { buildLease, createLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";

const app = await startTestApp();
const owner = await createCorporateUser(app, { companyName: "Harbour 100% Bridges" });
const other = await createCorporateUser(app, { companyName: "Tunnel Works" });
const admin = await signInAs(app, await createAdmin(app));

const ownToken = await signInAs(app, owner);
const em = () => app.services.orm.em.fork();

const pageFields = "total seats seatsInUse rows { seatsInUse denials licence { id owner { companyName } } }";
const query = (args: Record<string, unknown>) => app.graphql(`seatUsage { ${pageFields} }`, args, admin);
const list = async ({ first, offset, ...filter }: Record<string, unknown> = {}) =>
  (await query({ first, offset, filter })).data.seatUsage;

const half = await createConcurrentLicence(app, owner, { numberOfUsers: 2 });
const full = await createConcurrentLicence(app, owner, { numberOfUsers: 1 });
const unused = await createConcurrentLicence(app, other, { numberOfUsers: 5 });
await createLicence(app, owner);
await createConcurrentLicence(app, owner, { numberOfUsers: 9, expiresAt: addMilliseconds(app.clock.now(), -DAY) });
await buildLease(app, half, await createDevice(app, half));
const past = addMilliseconds(app.clock.now(), -MINUTE);
await createLease(app, await createDevice(app, half), { expiresAt: past });
await createLease(app, await createDevice(app, half), { endedAt: past, endedBy: "release" });
await buildLease(app, full, await createDevice(app, full));
await buildLease(app, full, await createDevice(app, full));

test("lists active licences with seats, the fullest first, with seats in use and denials", async () => {
  expect(await list()).toEqual({
    total: 3,
    seats: 8,
    seatsInUse: 2,
    rows: [
      { seatsInUse: 1, denials: 1, licence: { id: full.id, owner: { companyName: "Harbour 100% Bridges" } } },
      { seatsInUse: 1, denials: 0, licence: { id: half.id, owner: { companyName: "Harbour 100% Bridges" } } },
      { seatsInUse: 0, denials: 0, licence: { id: unused.id, owner: { companyName: "Tunnel Works" } } },
    ],
  });
});

test("finds words of a customer, full licences and a page, and keeps the totals of the whole list", async () => {
  for (const search of ["100% br", "bridges harbour", '"Bridges"']) expect((await list({ search })).total).toBe(2);
  for (const search of ["ridges", '"Bridge"']) expect((await list({ search })).total).toBe(0);
  for (const search of [unused.supportCode, unused.supportCode.toLowerCase().replace("-", "")])
    expect((await list({ search })).rows).toMatchObject([{ licence: { id: unused.id } }]);
  expect((await list({ onlyFull: true })).rows).toMatchObject([{ licence: { id: full.id } }]);
  const page = await list({ offset: 1, first: 1 });
  expect(page).toMatchObject({ total: 3, seats: 8, rows: [{ licence: { id: half.id } }] });
  expect(await list({ offset: 9 })).toMatchObject({ total: 3, rows: [] });
  expect((await query({ first: 101 })).errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
});

const releaseSeat = (leaseId: string, token = admin) =>
  app.graphql("freeSeat { id leases { id } }", { leaseId }, token);

test("gives the seat to the next request; the previous holder gets LEASE_NOT_FOUND and can request another", async () => {
  const licence = await createConcurrentLicence(app, owner, { numberOfUsers: 1 });
  const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
  const seat = (await buildLease(app, licence, ada)).json.data.lease;
  expect((await buildLease(app, licence, bob)).json.data.resultCode).toBe(30);

  expect((await releaseSeat(seat.id)).data.freeSeat).toEqual({ id: licence.id, leases: [] });
  expect(await em().findOneOrFail(Lease, seat.id)).toMatchObject({ endedBy: "admin", endedAt: expect.any(Date) });
  expect((await callAddinFrom(app, ada, "heartbeat", licence, { leaseId: seat.id })).json.data.resultCode).toBe(32);
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
  const device = await createDevice(app, await createConcurrentLicence(app, owner));
  const now = app.clock.now();
  const released = await createLease(app, device, { endedAt: now, endedBy: "release" });
  const lapsed = await createLease(app, device, { expiresAt: addMilliseconds(now, -MINUTE) });
  for (const { id } of [released, lapsed]) expect((await releaseSeat(id)).errors).toBeUndefined();
  expect(await em().findOneOrFail(Lease, released.id)).toMatchObject({ endedBy: "release" });
  expect(await em().findOneOrFail(Lease, lapsed.id)).toMatchObject({ endedBy: null });
  expect(await em().count(AuditEntry, { subjectId: { $in: [released.id, lapsed.id] } })).toBe(0);
});

const note = (licenceId: string, changes: Partial<LicenceEvent>) =>
  createLicenceEvent(app, { kind: "lease", resultCode: 30, licenceId, ...changes });

test("seat denials show the owner the last seven days, newest first, without other refusals", async () => {
  const now = app.clock.now();
  const licence = await createConcurrentLicence(app, owner, { createdAt: addMilliseconds(now, -30 * DAY) });
  await note(licence.id, { machineName: "older", at: addMilliseconds(now, -2 * DAY) });
  await note(licence.id, { machineName: "newer", kind: "heartbeat", resultCode: 31, osUser: "SITE\\bob" });
  await note(licence.id, { machineName: "too old", at: addMilliseconds(now, -8 * DAY) });
  await note(licence.id, { machineName: "another reason", resultCode: 20 });
  const fields = "seatDenials { at code machineName osUser }";
  const { data } = await app.graphql(`licence { ${fields} }`, { id: licence.id }, ownToken);
  expect(data.licence.seatDenials).toMatchObject([
    { machineName: "newer", code: "LEASE_EXPIRED", osUser: "SITE\\bob" },
    { machineName: "older", code: "NO_SEATS_AVAILABLE", osUser: null },
  ]);
});

test("shows customers the running leases of their licences, oldest first", async () => {
  const licence = await createConcurrentLicence(app, owner);
  const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
  const now = app.clock.now();
  const later = await createLease(app, bob, { borrowedUntil: addMilliseconds(now, MINUTE), osUser: "SITE\\bob" });
  const first = await createLease(app, ada, { startedAt: addMilliseconds(now, -MINUTE) });
  await createLease(app, ada, { expiresAt: addMilliseconds(now, -MINUTE) });
  await createLease(app, ada, { endedAt: now, endedBy: "release" });
  const fields = "leases { id osUser startedAt lastHeartbeatAt expiresAt borrowedUntil device { id machineName } }";
  const querySeats = (token: string) => app.graphql(`licence { ${fields} }`, { id: licence.id }, token);
  expect((await querySeats(admin)).data.licence.leases).toHaveLength(2);
  expect((await querySeats(ownToken)).data.licence.leases).toMatchObject([
    { id: first.id, osUser: null, borrowedUntil: null, device: { id: ada.id, machineName: ada.machineName } },
    {
      id: later.id,
      osUser: "SITE\\bob",
      borrowedUntil: addMilliseconds(now, MINUTE).toISOString(),
      device: { id: bob.id },
    },
  ]);
});
