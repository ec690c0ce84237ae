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

/** Runs a statement as an attacker who owns the tables, verifies, and restores everything. */
async function verifyAfter(statement: string, since?: string) {
  const client = await owner.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query(statement);
    return await verifyChain(client as never, getAuditKey(app.services) ?? "", new Date(), since);
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

/** SQL that writes the row of an erasure without its audit entry. */
const forgeErasure = ({ id }: User) =>
  `insert into erasures (id, user_id, requested_by, requested_at, worked_at, progress)
     values (gen_random_uuid(), '${id}', 'operator', now(), now(), '{}');`;

test("refuses to empty the data of a user who wasn't erased, also after a forged erasure", async () => {
  const user = await createUser(app);
  await recordAudit(app, admin, user);
  await reportFailedSignIn(app, user);
  for (const prepare of ["", forgeErasure(user)]) {
    await pool.query(prepare);
    for (const name of ["erase_audit_subject", "erase_security_events"])
      await expect(pool.query(`select ${name}($1, 10)`, [user.id])).rejects.toMatchObject({ code: "42501" });
  }
  await pool.query("delete from erasures where user_id = $1", [user.id]);
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
  const empty = `update audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null
      where id = ${entry}`;
  for (const [statement, what] of [
    [`update audit_entries set after = '{"b": 3}' where id = ${entry}`, "was changed"],
    [`update audit_entries set actor_name = 'Other' where id = ${entry}`, "was changed"],
    [`update security_events set address = '203.0.113.10' where id = ${event}`, "was changed"],
    [`update security_events set at = at - interval '1 hour' where id = ${event}`, "was changed"],
    [`delete from audit_entries where id = ${entry}`, "was removed"],
    [`delete from security_events where id = ${event}`, "was removed"],
    [`${copy("audit_entries")} ${entry}`, "was changed, or wasn't written by the product"],
    [`${copy("security_events")} ${event}`, "was changed, or wasn't written by the product"],
    [empty, "was emptied without an erasure"],
    [forgeErasure(user) + empty, "was emptied without an erasure"],
    ["delete from audit_links where number = 2", "has no link before it: link 2 was removed"],
    ["update audit_links set entry_id = gen_random_uuid() where number = 1", "has a link that was changed"],
  ] as const)
    expect([statement, (await verifyAfter(statement)).problem?.what]).toEqual([statement, what]);
  expect((await verifyAfter(`delete from audit_entries where id = ${entry}`)).problem).toMatchObject({
    source: "audit",
    id: expect.any(String),
    link: expect.any(Number),
  });
});

test("audit verify accepts what a customer's own erasure emptied", async () => {
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
  expect(await verifyAfter(`delete from audit_links where number = ${last?.number}`, since)).toMatchObject({
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
