import { expect, test } from "vitest";
import { buildLease, createLease } from "#tests/factories/lease.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const owner = await createCorporateUser(app, { companyName: "Harbour 100% Bridges" });
const other = await createCorporateUser(app, { companyName: "Tunnel Works" });
const admin = await signInAs(app, await createAdmin(app));

const document = `query ($filter: SeatUsageFilter!) { seatUsage(filter: $filter) {
  total seats seatsInUse rows { seatsInUse denials licence { id owner { companyName } } } } }`;
const list = async (filter: Record<string, unknown> = {}) =>
  (await app.graphql(document, { filter }, admin)).data.seatUsage;

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

test("finds part of a company, full licences and a page, and keeps the totals of the whole list", async () => {
  expect((await list({ search: "100% br" })).total).toBe(2);
  expect((await list({ search: "100_ br" })).total).toBe(0);
  expect((await list({ search: unused.supportCode })).rows[0].licence.id).toBe(unused.id);
  expect((await list({ onlyFull: true })).rows).toMatchObject([{ licence: { id: full.id } }]);
  const page = await list({ offset: 1, limit: 1 });
  expect(page).toMatchObject({ total: 3, seats: 8, rows: [{ licence: { id: half.id } }] });
  expect(await list({ offset: 9 })).toMatchObject({ total: 3, rows: [] });
  expect((await app.graphql(document, { filter: { limit: 101 } }, admin)).errors).toMatchObject([
    { extensions: { code: "BAD_USER_INPUT" } },
  ]);
});
