import { beforeAll, expect, test } from "vitest";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { sealEntries, readLastLink } from "#api/audit/chain/seal-entries.ts";
import { verifyChain } from "#api/audit/chain/verify-chain.ts";
import { purgeSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordAudit, reportFailedSignIn } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();

const { pool } = app.services;
const owner = openOwnerPool(app.database);
let admin: User;

beforeAll(async () => {
  admin = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
});

const seal = () => runSweep(app.services, sealEntries);
const verify = () => verifyChain(pool, getAuditKey(app.services) ?? "", new Date());

/** Runs statements as an attacker who owns the tables, verifies, and restores everything. */
async function verifyAfter(...statements: string[]) {
  const client = await owner.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    for (const statement of statements) await client.query(statement);
    return await verifyChain(client as never, getAuditKey(app.services) ?? "", new Date());
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test.each(["audit_entries", "security_events", "audit_links"])(
  "%s refuses update, delete and truncate by the application, and by the owner",
  async (table) => {
    const user = await createUser(app);
    await recordAudit(app, admin, user);
    await reportFailedSignIn(app, user);
    await seal();
    const column = { audit_entries: "request_id", security_events: "type", audit_links: "hash" }[table];
    for (const role of [pool, owner])
      for (const statement of [
        `update ${table} set ${column} = 'x'`,
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await expect(role.query(statement), statement).rejects.toMatchObject({ code: "42501" });
    for (const statement of [
      `alter table ${table} disable trigger user`,
      `drop table ${table}`,
      "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'",
      "drop function queue_unsealed_entry() cascade",
      "drop schema public cascade",
      "set session_replication_role = replica",
    ])
      await expect(pool.query(statement), statement).rejects.toMatchObject({ code: "42501" });
  },
);

test("a forged erasure empties nothing without its audit entry", async () => {
  const user = await createUser(app);
  await recordAudit(app, admin, user);
  await pool.query(
    `insert into erasures (id, user_id, requested_by, requested_at, worked_at, progress)
       values (gen_random_uuid(), $1, 'operator', now(), now(), '{}')`,
    [user.id],
  );
  await expect(pool.query("select erase_audit_subject($1, 10)", [user.id])).rejects.toMatchObject({ code: "42501" });
  await pool.query("delete from erasures where user_id = $1", [user.id]);
});

test("refuses to empty the data of a user who wasn't erased", async () => {
  const user = await createUser(app);
  await recordAudit(app, admin, user);
  await reportFailedSignIn(app, user);
  const run = (name: string) => pool.query(`select ${name}($1, 10)`, [user.id]);
  for (const name of ["erase_audit_subject", "erase_security_events"])
    await expect(run(name)).rejects.toMatchObject({ code: "42501" });
});

test("deletes security events after 400 days and none earlier", async () => {
  const insert = (days: number) =>
    pool.query(
      `insert into security_events (id, at, type, address, detail, request_id)
         values (gen_random_uuid(), now() - make_interval(days => $1), 'refresh.refused', '', '{}', 'purge')`,
      [days],
    );
  await insert(401);
  await insert(399);
  const { rows } = await pool.query("select purge_security_events(now() + interval '1 year', 100) as count");
  expect(rows[0].count).toBe(1);
  expect((await pool.query("select from security_events where request_id = 'purge'")).rowCount).toBe(1);
  await owner.query(
    "set session_replication_role = replica; delete from security_events where request_id = 'purge'; reset session_replication_role",
  );
});

test("audit verify accepts linked, waiting and erased entries", async () => {
  const user = await createUser(app, { firstName: "Zaida", lastName: "Lövgren" });
  await recordAudit(app, admin, user);
  await reportFailedSignIn(app, user);
  await seal();
  const { id } = await requestErasure(app.context(), user.id, "operator");
  while ((await runErasure(app.context(), id)) === "more");
  const { rows } = await pool.query(
    "select subject_name, before, ip from audit_entries where user_id = $1 and action = 'update-user' limit 1",
    [user.id],
  );
  expect(rows).toEqual([{ subject_name: "Erased", before: null, ip: "203.0.113.9" }]);
  const events = await pool.query("select distinct address, detail from security_events where user_id = $1", [user.id]);
  expect(events.rows).toEqual([{ address: "", detail: {} }]);
  await recordAudit(app, admin, admin);
  const report = await verify();
  expect(report).toMatchObject({ ok: true, waiting: expect.any(Number) });
  expect(report.waiting).toBeGreaterThan(2);
  expect(report.links).toBeGreaterThan(4);
});

test("audit verify accepts an entry of a request that wrote the user's id in capitals", async () => {
  const user = await createUser(app);
  const token = await signInAs(app, admin);
  const comment = await app.call(
    "addComment { user { id } }",
    { userId: user.id.toUpperCase(), comment: "Prefers email." },
    token,
  );
  expect(comment).toEqual({ user: { id: user.id } });
  expect(await verify()).toMatchObject({ ok: true });
});

test("audit verify names a changed, removed, copied, emptied or relinked row", async () => {
  const user = await createUser(app);
  await recordAudit(app, admin, user);
  await reportFailedSignIn(app, user);
  await seal();
  const entry = `(select id from audit_entries where user_id = '${user.id}' order by id limit 1)`;
  const event = `(select id from security_events where user_id = '${user.id}')`;
  const copy = (table: string) =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).* from ${table} t where id in `;
  const what = async (...statements: string[]) => (await verifyAfter(...statements)).problem?.what;
  expect(await what(`update audit_entries set after = '{"b": 3}' where id = ${entry}`)).toBe("was changed");
  expect(await what(`update audit_entries set actor_name = 'Other' where id = ${entry}`)).toBe("was changed");
  expect(await what(`update security_events set address = '203.0.113.10' where id = ${event}`)).toBe("was changed");
  expect(await what(`update security_events set at = at - interval '1 hour' where id = ${event}`)).toBe("was changed");
  expect(await what(`delete from audit_entries where id = ${entry}`)).toBe("was removed");
  expect(await what(`delete from security_events where id = ${event}`)).toBe("was removed");
  expect(await what(`${copy("audit_entries")} ${entry}`)).toMatch(/wasn't written by the product/);
  expect(await what(`${copy("security_events")} ${event}`)).toMatch(/wasn't written by the product/);
  expect(
    await what(
      `update audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null where id = ${entry}`,
    ),
  ).toBe("was emptied without an erasure");
  expect(await what(`delete from audit_links where number = 2`)).toBe("has no link before it: link 2 was removed");
  expect(await what(`update audit_links set entry_id = gen_random_uuid() where number = 1`)).toBe(
    "has a link that was changed",
  );
  expect((await verifyAfter(`delete from audit_entries where id = ${entry}`)).problem).toMatchObject({
    source: "audit",
    id: expect.any(String),
    link: expect.any(Number),
  });
});

test("audit verify demands an entry of the chain for each erasure", async () => {
  const user = await createUser(app);
  await recordAudit(app, admin, user);
  await seal();
  const forged = `insert into erasures (id, user_id, requested_by, requested_at, worked_at, progress)
      values (gen_random_uuid(), '${user.id}', 'operator', now(), now(), '{}')`;
  const empty = `update audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null
      where user_id = '${user.id}'`;
  expect((await verifyAfter(forged, empty)).problem?.what).toBe("was emptied without an erasure");
  const own = await createUser(app);
  await recordAudit(app, admin, own);
  await seal();
  const { id } = await requestErasure(app.context(), own.id, "customer");
  while ((await runErasure(app.context(), id)) === "more");
  expect(await verify()).toMatchObject({ ok: true });
});

test("audit verify finds links that were removed from the end, by a hash from the log", async () => {
  await recordAudit(app, admin, admin);
  await seal();
  const last = await readLastLink(pool);
  const since = last?.hash ?? "";
  expect(await verifyChain(pool, getAuditKey(app.services) ?? "", new Date(), since)).toMatchObject({ ok: true });
  const client = await owner.connect();
  await client.query("begin; set local session_replication_role = replica");
  await client.query("delete from audit_links where number = $1", [last?.number]);
  const cut = await verifyChain(client as never, getAuditKey(app.services) ?? "", new Date(), since);
  await client.query("rollback");
  client.release();
  expect(cut).toMatchObject({
    ok: false,
    problem: { source: "link", id: since, what: expect.stringMatching(/removed/) },
  });
});

test("audit verify demands an entry of the chain for what the retention deleted", async () => {
  const user = await createUser(app);
  app.clock.setOffset(-401 * DAY);
  await reportFailedSignIn(app, user);
  app.clock.setOffset(0);
  await seal();
  const remove = `delete from security_events where user_id = '${user.id}'`;
  expect((await verifyAfter(remove)).problem?.what).toBe("was removed");
  expect(await purgeSecurityEvents.run(app.context())).toBe(1);
  expect(await verify()).toMatchObject({ ok: true });
});

test("audit verify gives no link to an entry that another program inserted", async () => {
  await pool.query(
    `insert into security_events (id, at, type, address, detail, request_id)
       values (gen_random_uuid(), now(), 'sign-in.succeeded', '', '{}', 'forged')`,
  );
  await seal();
  expect((await verify()).problem).toMatchObject({ source: "event", link: null });
  await owner.query(
    "set session_replication_role = replica; delete from security_events where request_id = 'forged'; reset session_replication_role",
  );
  expect((await verify()).ok).toBe(true);
});
