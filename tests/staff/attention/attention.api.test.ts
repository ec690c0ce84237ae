import { beforeAll, expect, test } from "vitest";
import { attentionLists } from "#schema/attention.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { callAddinFrom, toMachine } from "#tests/factories/addin.ts";
import {
  createDevice,
  createLicence,
  createRevokedLicence,
  createSubscription,
  createSuspendedLicence,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import type { ListRequest } from "#tests/support/list-variables.ts";
import { listValues, toCode } from "#schema/closed-list.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const now = app.clock.now();
const inDays = (days: number) => addMilliseconds(now, days * DAY);
const expectedUsers: Record<string, User[]> = {};

async function createRefusal(user: User, at: Date, machineName: string, resultCode = 20): Promise<void> {
  const { id } = await createLicence(app, user);
  await createLicenceEvent(app, { at, resultCode, licenceId: id, machineName, ip: "203.0.113.7" });
}

const createLeak = ({ id }: Licence, listedAt: Date | null) =>
  app.services.pool.query(
    `insert into leak_measurements (licence_id, networks, machines, permitted_machines, hours, clones, measured_at, listed_at)
     values ($1, 31, 9, 1, 8, 0, $2, $3)`,
    [id, now, listedAt],
  );

beforeAll(async () => {
  const user = (lastName: string, changes = {}) => createUser(app, { lastName, ...changes });

  const [failed, failedEarlier, paying] = [await user("Failed"), await user("Failedearlier"), await user("Paying")];
  const archived = await user("Archived", { archivedAt: now });
  for (const [one, dueAt, status] of [
    [failed, inDays(-1), "past_due"],
    [failedEarlier, inDays(-2), "past_due"],
    [paying, inDays(20), "active"],
    [archived, inDays(-2), "past_due"],
  ] as const) {
    const licence = await createLicence(app, one, { expiresAt: inDays(23) });
    await createSubscription(app, licence, { status, paidUntil: dueAt });
  }
  expectedUsers["failed-renewals"] = [failedEarlier, failed];

  const [closed, closedEarlier] = [await user("Closed"), await user("Closedearlier")];
  for (const [index, one] of [closed, closedEarlier].entries()) {
    const licence = await createLicence(app, one, { expiresAt: inDays(50) });
    await createSubscription(app, licence, { cancellationPendingSince: inDays(-1 - index) });
  }
  expectedUsers["cancellations-pending"] = [closedEarlier, closed];

  const trialling = await user("Trialling");
  await createTrialLicence(app, trialling, { expiresAt: inDays(2) });
  await createTrialLicence(app, await user("Justbegun"), { expiresAt: inDays(4) });
  await createTrialLicence(app, await user("Over"), { expiresAt: inDays(-1) });
  expectedUsers["trials-ending"] = [trialling];

  const untaxed = await user("Untaxed", { country: "AU", unlistedCountry: "AU" });
  await user("Moved", { country: "Australia", unlistedCountry: "AU" });
  expectedUsers["countries-to-check"] = [untaxed];

  const blocked = await user("Blocked");
  await createRefusal(blocked, addMilliseconds(now, -2 * HOUR), "OLD-LAPTOP|x.local");
  await createRefusal(await user("Yesterday"), addMilliseconds(now, -25 * HOUR), "OLDER");
  await createRefusal(await user("Otherwise"), addMilliseconds(now, -HOUR), "OTHER", 22);
  expectedUsers["blocked-attempts"] = [blocked];

  const cloned = await user("Cloned");
  const licence = await createLicence(app, cloned);
  const device = await createDevice(app, licence, { machineName: "CLONE-1|x.local" });
  for (const hardware of ["a", "b", "a", "b"]) {
    const components = { board: `board-${hardware}`, disk: "disk", cpu: `cpu-${hardware}` };
    await callAddinFrom(app, device, "validate", licence, { machine: toMachine(device, { components }) });
  }
  // A device with a docking station, and one whose parts were replaced twice.
  const other = await createLicence(app, await user("Docked"), { numberOfMachines: 2 });
  const [docked, repaired] = [await createDevice(app, other), await createDevice(app, other)];
  for (const n of [1, 2, 1, 2, 1]) {
    const components = { board: "b1", disk: "d1", mac: `mac-${n}` };
    await callAddinFrom(app, docked, "validate", other, { machine: toMachine(docked, { components }) });
  }
  for (const n of [1, 2, 3]) {
    const components = { board: `b${n}`, disk: `d${n}` };
    await callAddinFrom(app, repaired, "validate", other, { machine: toMachine(repaired, { components }) });
  }
  expectedUsers["alternating-devices"] = [cloned];

  const shared = await createLicence(app, await user("Sharing"), { expiresAt: inDays(60) });
  await createLeak(shared, now);
  await createLeak(await createLicence(app, await user("Ended"), { expiresAt: inDays(-1) }), now);
  await createLeak(await createRevokedLicence(app, await user("Deactivated"), { expiresAt: inDays(60) }), now);
  await createLeak(await createLicence(app, await user("Travelling"), { expiresAt: inDays(60) }), null);
  expectedUsers["leaked-licences"] = [shared.user];

  const [expiring, leaving] = [await user("Expiring", { companyName: "Vector-Rail’s" }), await user("Leaving")];
  await createLicence(app, expiring, { expiresAt: inDays(10) });
  const cancelled = await createLicence(app, leaving, { expiresAt: inDays(5) });
  await createSubscription(app, cancelled, { isCancelledAtPeriodEnd: true });
  await createLicence(app, await user("Later"), { expiresAt: inDays(31) });
  await createRevokedLicence(app, await user("Revoked"), { expiresAt: inDays(5) });
  await createSuspendedLicence(app, await user("Suspended"), { expiresAt: inDays(5) });
  expectedUsers["licences-expiring"] = [leaving, expiring];

  const unconfirmed = await user("Unconfirmed", { emailConfirmedAt: null });
  // A registration with an address that already has an account is hidden.
  await user("Shadow", { emailConfirmedAt: null, signInEmail: null });
  expectedUsers["unconfirmed-accounts"] = [unconfirmed];
});

type Row = { what: string; reason: string | null; user: { id: string } };
type List = { total: number; isTotalCapped: boolean; rows: Row[] };

function readList(name: string, { search, ...part }: ListRequest = {}, token = admin): Promise<List> {
  const variables = { list: toCode(attentionLists, name), filter: { search }, ...part };
  return app.call("attentionList { total isTotalCapped rows { what reason user { id lastName } } }", variables, token);
}
const count = () => app.call("attention { list count isCapped }", {}, admin);

test.each(listValues(attentionLists))("lists and counts exactly the users for %s, most urgent first", async (list) => {
  const { rows, total, isTotalCapped } = await readList(list);
  expect(rows.map(({ user }) => user.id)).toEqual(expectedUsers[list]?.map(({ id }) => id));
  expect([total, isTotalCapped]).toEqual([rows.length, false]);
  expect(await count()).toContainEqual({ list: toCode(attentionLists, list), count: rows.length, isCapped: false });
});

test("describes each row, without a bank's reason if there is none", async () => {
  for (const [list, words] of [
    ["failed-renewals", "Payment for Professional failed"],
    ["countries-to-check", "Pays no GST, because the country is stored as “AU”"],
    ["blocked-attempts", "Blocked machine OLD-LAPTOP tried to connect from 203.0.113.7"],
    ["leaked-licences", "In 7 days: 31 networks, 9 machines with 1 permitted"],
    ["alternating-devices", "The hardware of CLONE-1 keeps alternating. It may be a cloned machine."],
    ["licences-expiring", "Professional licence expires and won't renew"],
  ] as const)
    expect((await readList(list)).rows.at(-1)).toMatchObject({ what: words, reason: null });
});

test("shows leaked licences with their evidence to support, and not to finance", async () => {
  const signInStaff = async (role: "support" | "finance") =>
    signInAs(app, await createAdmin(app, { staffRoles: [role] }));
  const [support, finance] = [await signInStaff("support"), await signInStaff("finance")];
  const fields = "leak { signs networks machines permittedMachines hours clones askedAt }";
  const read = (token: string) => app.call(`attentionList { rows { ${fields} } }`, { list: "LEAKED_LICENCES" }, token);
  const figures = { networks: 31, machines: 9, permittedMachines: 1, hours: 8, clones: 0 };
  expect((await read(support)).rows).toEqual([
    { leak: { signs: ["NETWORKS", "MACHINES"], ...figures, askedAt: null } },
  ]);
  await expect(read(finance)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const overview = "query ($id: ID!) { attention { list } user(id: $id) { attention { list } } }";
  const leak = { list: "LEAKED_LICENCES" };
  const variables = { id: expectedUsers["leaked-licences"]?.[0]?.id };
  const seen = (await app.graphql(overview, variables, support)).data;
  const hidden = (await app.graphql(overview, variables, finance)).data;
  expect([seen.attention, seen.user.attention]).toEqual([expect.arrayContaining([leak]), [leak]]);
  expect([hidden.attention, hidden.user.attention]).toEqual([expect.not.arrayContaining([leak]), []]);
});

test("pages through a list, and searches and counts it by user", async () => {
  const page = await readList("licences-expiring", { offset: 1, first: 1 });
  expect(page.total).toBe(2);
  expect(page.rows.map(({ user }) => user.id)).toEqual([expectedUsers["licences-expiring"]?.[1]?.id]);
  for (const search of ["rail", "vector–rail's"])
    expect(await readList("licences-expiring", { search })).toMatchObject({
      total: 1,
      rows: [{ user: { lastName: "Expiring" } }],
    });
  expect(await readList("licences-expiring", { search: "ail(" })).toMatchObject({ total: 0, rows: [] });
});

test("changes with the current time", async () => {
  app.clock.setOffset(3 * DAY);
  const later = await signInAs(app, await createAdmin(app));
  const users = (await readList("trials-ending", {}, later)).rows.map(({ user }) => user);
  expect(users).toMatchObject([{ lastName: "Justbegun" }]);
  expect((await readList("blocked-attempts", {}, later)).rows).toEqual([]);
  app.clock.setOffset(0);
});

test("caps the count at 1,000, but lists every row", async () => {
  await createUser(app, { lastName: "Spent" });
  await copyRow(app.services.pool, "users", {
    which: "where last_name = 'Spent'",
    times: 1_100,
    differing: `'confirmation_handle', gen_random_uuid(), 'email', n || '@many.example', 'sign_in_email', n || '@many.example', 'email_confirmed_at', null`,
  });
  expect(await count()).toContainEqual({ list: "UNCONFIRMED_ACCOUNTS", count: 1_000, isCapped: true });
  const { total, isTotalCapped } = await readList("unconfirmed-accounts", { first: 5 });
  expect(isTotalCapped).toBe(false);
  expect(total).toBeGreaterThan(1_100);
  expect((await readList("unconfirmed-accounts", { offset: total - 2, first: 5 })).rows).toHaveLength(2);
});
