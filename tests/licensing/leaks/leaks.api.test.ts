import { beforeEach, expect, test } from "vitest";
import { ACCEPTED_DAYS, LEAK_DAYS } from "#schema/leaks.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { measureLeaks } from "#api/licensing/leaks/measure-leaks.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createLease } from "#tests/factories/lease.ts";
import {
  createConcurrentLicence,
  createDevice,
  createLicence,
  createRevokedLicence,
  createSuspendedLicence,
} from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;
let support = "";
beforeEach(async () => {
  app.clock.setOffset(0);
  support = await signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));
});

interface Use {
  networks: number;
  machines: number;
  hours?: number;
  deviceId?: string | null;
  daysAgo?: number;
  kind?: string;
}

/** Writes requests of a licence from several networks and machines, and of one device in several hours of a day. */
async function use(
  licence: Licence,
  { networks, machines, hours = 1, deviceId = null, daysAgo = 1, kind = "activate" }: Use,
) {
  await pool.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id, device_id, machine_name, ip)
     select at, at, $7, 22, $1, $5, 'PC-' || n % $4, case when n % 2 = 0 then '203.0.' || n % $3 || '.' || n
                                                          else '2001:db8:' || n % $3 || '::' || n end
       from generate_series(0, greatest($3::int, $4::int, $6::int) * 2 - 1) n,
            lateral (select $2::timestamptz + (n % $6) * interval '1 hour' as at) moment`,
    [licence.id, addMilliseconds(app.clock.now(), -daysAgo * DAY), networks, machines, deviceId, hours, kind],
  );
}

const measure = () => runSweep(app.services, measureLeaks);

const find = async ({ id }: Licence) =>
  (await pool.query("select * from leak_measurements where licence_id = $1", [id])).rows[0];

const isListed = async (licence: Licence) => (await find(licence))?.listed_at != null;

const answer = async (name: string, { user, id }: Licence, token = support) => {
  const { data, errors } = await app.graphql(`${name} { id licenceCode }`, { userId: user.id, licenceId: id }, token);
  return (errors?.[0]?.extensions.code as string | undefined) ?? (data[name].licenceCode as string);
};

const listEmailsOf = async ({ user }: Licence) =>
  listEmailsTo(app, (await app.services.orm.em.fork().findOneOrFail(User, user.id)).email);

// IPv4 and IPv6 networks with the same number differ, so 7 of each are 14.
const leak: Use = { networks: 7, machines: 5 };

async function createLeaked(): Promise<Licence> {
  const licence = await createLicence(app, await createUser(app));
  await use(licence, leak);
  await measure();
  return licence;
}

test("measures networks, machines, hours and clones, and lists a licence only with two signs", async () => {
  const make = async (changes = {}) => createLicence(app, await createUser(app), changes);
  const [leaked, fewer, more, busy, old, other, revoked, suspended] = [
    await make(),
    await make(),
    await make({ numberOfMachines: 2 }),
    await make(),
    await make(),
    await make(),
    await createRevokedLicence(app, await createUser(app)),
    await createSuspendedLicence(app, await createUser(app)),
  ];
  const device = await createDevice(app, busy, { alternations: 2, alternatedAt: app.clock.now() });
  await use(leaked, leak);
  await use(fewer, { ...leak, machines: 4 });
  await use(more, leak);
  await use(busy, { networks: 1, machines: 1, hours: 20, deviceId: device.id });
  // Both are in 2001:db8:0::/48, as the other IPv6 addresses of this licence are.
  await pool.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name, ip)
     select $2::timestamptz, $2::timestamptz, 'activate', 22, $1::uuid, 'PC-0', ip from unnest($3::text[]) ip`,
    [busy.id, addMilliseconds(app.clock.now(), -DAY), ["2001:db8::1", "2001:db8:0:5::1"]],
  );
  await use(old, { ...leak, daysAgo: LEAK_DAYS + 1 });
  await use(other, { ...leak, kind: "portal-deactivate" });
  for (const unusable of [revoked, suspended]) await use(unusable, leak);
  await measure();
  const licences = [leaked, fewer, more, busy, old, other, revoked, suspended];
  expect(await Promise.all(licences.map(isListed))).toEqual([true, false, false, true, false, false, false, false]);
  const measured = { networks: 14, machines: 5, permitted_machines: 1, hours: 0, clones: 0 };
  expect(await find(leaked)).toMatchObject({ ...measured, asked_at: null, counted_from: null });
  expect(await find(busy)).toMatchObject({ networks: 2, machines: 1, hours: 20, clones: 1 });
  // A licence that isn't listed leaves no row.
  expect(await find(fewer)).toBeUndefined();
});

test("keeps the time of the listing while the signs last, and ends it afterwards", async () => {
  const licence = await createLeaked();
  const { listed_at: listedAt } = await find(licence);
  app.clock.setOffset(2 * DAY);
  await measure();
  expect((await find(licence)).listed_at).toEqual(listedAt);
  app.clock.setOffset(7 * DAY);
  await measure();
  expect(await find(licence)).toMatchObject({ networks: 0, listed_at: null });
});

test("asks the customer by email with the evidence, at most once a day", async () => {
  const licence = await createLeaked();
  expect(await answer("askAboutLicenceUse", licence)).toBe(licence.licenceCode);
  expect(await answer("askAboutLicenceUse", licence)).toBe("CONFLICT");
  const emails = await listEmailsOf(licence);
  expect(emails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Is the use of your .+ licence yours\?$/),
  ]);
  expect(emails[0]?.text).toMatch(/Networks in 7 days: 14/);
  expect(await isListed(licence)).toBe(true);
  app.clock.setOffset(DAY);
  support = await signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));
  expect(await answer("askAboutLicenceUse", licence)).toBe(licence.licenceCode);
});

test("doesn't ask about a licence that isn't listed, or a customer without a confirmed address", async () => {
  expect(await answer("askAboutLicenceUse", await createLicence(app, await createUser(app)))).toBe("CONFLICT");
  const unconfirmed = await createLicence(app, await createUser(app, { emailConfirmedAt: null }));
  await use(unconfirmed, leak);
  await measure();
  expect(await answer("askAboutLicenceUse", unconfirmed)).toBe("CONFLICT");
});

test("accepts the use: the licence leaves the list for 90 days, whatever happens in them", async () => {
  const licence = await createLeaked();
  expect(await answer("acceptLicenceUse", licence)).toBe(licence.licenceCode);
  expect(await answer("acceptLicenceUse", licence)).toBe("CONFLICT");
  for (const [day, listed] of [
    [1, false],
    [ACCEPTED_DAYS - 1, false],
    [ACCEPTED_DAYS + 2, true],
  ] as const) {
    app.clock.setOffset(day * DAY);
    await use(licence, leak);
    await measure();
    expect([day, await isListed(licence)]).toEqual([day, listed]);
  }
});

test("re-issues the code: the old one is unknown, the device works with the new one and its token, seats end", async () => {
  const licence = await createConcurrentLicence(app, await createUser(app), { numberOfMachines: 1 });
  const device = await createDevice(app, licence, { alternations: 2, alternatedAt: app.clock.now() });
  await createLease(app, device);
  await use(licence, leak);
  await measure();
  const check = async (code: string) => {
    const { status, json } = await callAddinFrom(app, device, "validate", licence, { licenceCode: code });
    return [status, json.data.resultCode];
  };
  expect(await check(licence.licenceCode)).toEqual([200, 1]);
  const licenceCode = await answer("reissueLicenceCode", licence);
  expect(licenceCode).toMatch(/^(\w{5}-){5}\w{5}$/);
  expect(licenceCode).not.toBe(licence.licenceCode);
  expect(await check(licence.licenceCode)).toEqual([200, 10]);
  expect(await check(licenceCode)).toEqual([200, 1]);
  const { rows: seats } = await pool.query("select ended_at from leases where device_id = $1", [device.id]);
  expect(seats).toEqual([{ ended_at: expect.any(String) }]);
  expect(await app.services.orm.em.fork().findOneOrFail(Device, device.id)).toMatchObject({ alternations: 0 });

  const [email] = await listEmailsOf(licence);
  expect(email?.text).toContain(licenceCode);
  const entries = await app.services.orm.em.fork().find(AuditEntry, { subjectId: licence.id });
  expect(entries.map(({ action }) => action)).toEqual(["reissue-licence-code"]);
  expect(JSON.stringify(entries)).not.toContain(licenceCode.slice(0, 11));
  const sql = "select kind from licence_events where licence_id = $1 and kind not in ('activate', 'validate')";
  expect((await pool.query(sql, [licence.id])).rows).toEqual([{ kind: "reissue" }]);
  expect(await isListed(licence)).toBe(false);

  // What strangers did with the old code doesn't list it again.
  app.clock.setOffset(HOUR);
  await measure();
  expect(await isListed(licence)).toBe(false);
});

test("re-issues the code of any usable licence, but not twice in an hour", async () => {
  const licence = await createLicence(app, await createUser(app));
  expect(await answer("reissueLicenceCode", licence)).toMatch(/-/);
  expect(await answer("reissueLicenceCode", licence)).toBe("CONFLICT");
  app.clock.setOffset(HOUR);
  support = await signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));
  expect(await answer("reissueLicenceCode", licence)).toMatch(/-/);
  expect(await answer("reissueLicenceCode", await createRevokedLicence(app, await createUser(app)))).toBe("CONFLICT");
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  expect(await answer("reissueLicenceCode", await createLicence(app, archived))).toBe("CONFLICT");
  expect((await app.services.orm.em.fork().findOneOrFail(Licence, { user: archived.id })).licenceCode).toMatch(/-/);
  expect(await listEmailsTo(app, archived.email)).toEqual([]);
});

test("an outdated measurement doesn't list a licence whose code was re-issued meanwhile", async () => {
  const licence = await createLeaked();
  const { rows: before } = await pool.query("select counted_from from leak_measurements where licence_id = $1", [
    licence.id,
  ]);
  expect(before).toEqual([{ counted_from: null }]);
  // The sweep stores what it read before the re-issue.
  const context = app.context();
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    const read = await pool.query(statement);
    expect(await answer("reissueLicenceCode", licence)).toMatch(/-|CONFLICT/);
    return read;
  };
  await measureLeaks.run(Object.create(context, { pool: { value: { query } } }) as Context);
  expect(await isListed(licence)).toBe(false);
});
