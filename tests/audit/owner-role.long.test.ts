import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownedObjects, migrate } from "#api/app/database.ts";
import { createEmptyDatabase } from "#tests/support/test-database.ts";

const created = await createEmptyDatabase();
const app = `app_${randomBytes(4).toString("hex")}`;
const owner = `${app}_owner`;
const superuser = new pg.Client({ ...created, database: created.dbName });
const portal = new pg.Client({ ...created, user: app, database: created.dbName });
const address = { ...created, user: app };
const both = { ...address, owner: { ...created, user: owner } };

beforeAll(async () => {
  await superuser.connect();
  await superuser.query(`create role ${app} login; alter database ${created.dbName} owner to ${app}`);
  await portal.connect();
});

afterAll(async () => {
  await portal.end();
  await superuser.query(`drop owned by ${app}, ${owner} cascade; alter database ${created.dbName} owner to postgres`);
  await superuser.query(`drop role ${app}, ${owner}`);
  await superuser.end();
});

/** Returns the names of the owners of the audit tables and of all other tables. */
async function findOwners(): Promise<unknown> {
  const { rows } = await superuser.query(
    `select (select array_agg(distinct tableowner::text order by tableowner::text) from pg_tables
              where schemaname = 'public' and tablename = any($1)) as audit,
            (select array_agg(distinct tableowner::text order by tableowner::text) from pg_tables
              where schemaname in ('public', 'pgboss') and not (schemaname = 'public' and tablename = any($1))) as rest`,
    [ownedObjects.tables],
  );
  return rows[0];
}

const insertEntry = `insert into audit_entries (id, at, actor_name, action, subject_type, subject_id, subject_name, ip, request_id)
  values (gen_random_uuid(), now(), 'System', 'export-users', 'export', '1', 'x', '', 'r')`;

test("an existing database with one role gets an owner in place, who isn't a superuser", {
  timeout: 120_000,
}, async () => {
  await migrate(address);
  await portal.query(insertEntry);
  expect(await findOwners()).toEqual({ audit: [app], rest: [app] });
  await superuser.query(
    `create role ${owner} login createdb in role ${app}; alter database ${created.dbName} owner to ${owner}`,
  );
  await Promise.all([migrate(both), migrate(both)]);
  expect(await findOwners()).toEqual({ audit: [owner], rest: [app] });
  await portal.query(insertEntry);
  expect((await portal.query("select from audit_entries")).rowCount).toBe(2);
  for (const statement of [
    "update audit_entries set ip = 'x'",
    "delete from security_events",
    "truncate audit_links",
    "update journal_entries set cents = 0",
    "alter table journal_entries disable trigger user",
    "drop table audit_entries",
    "create or replace function protect_audit_entry() returns trigger language plpgsql as 'begin return new; end'",
    `set role ${owner}`,
  ])
    await expect(portal.query(statement), statement).rejects.toMatchObject({ code: "42501" });
});

test("the application still maintains its own tables, and the owner's functions", async () => {
  await portal.query(
    "create table licence_events_2099_01 partition of licence_events for values from ('2099-01-01') to ('2099-02-01')",
  );
  await portal.query("create schema payment_simulator");
  const { rows } = await portal.query("select purge_security_events(now(), 10) as count");
  expect(rows).toEqual([{ count: 0 }]);
  const stranger = `${app}_stranger`;
  await superuser.query(`create role ${stranger} login`);
  const other = new pg.Client({ ...created, database: created.dbName, user: stranger });
  await other.connect();
  await expect(other.query("select purge_security_events(now(), 10)")).rejects.toMatchObject({ code: "42501" });
  await other.end();
  await superuser.query(`drop role ${stranger}`);
});

test("names the statement for a superuser if the owner lacks a right", async () => {
  await superuser.query(`revoke ${app} from ${owner}`);
  await expect(migrate(both)).rejects.toThrow(`grant "${app}" to "${owner}"`);
  await superuser.query(`grant ${app} to ${owner}`);
});
