import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import { isDatabaseUrl, readDatabaseHosts, replaceDatabaseName } from "#api/platform/database/database-hosts.ts";
import { getPool } from "#api/platform/database/database.ts";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";
import { startTcpProxy } from "#tests/support/tcp-proxy.ts";

// Two ways to one server look like two servers, and the test closes one of them.
const database = await createTestDatabase();
const server = { path: `${database.host}/.s.PGSQL.${database.port}` };
const [first, second] = await Promise.all([startTcpProxy(server), startTcpProxy(server)]);
const { user, password, dbName } = database;
const url = `postgres://${user}:${password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${dbName}?target_session_attrs=read-write`;
const orm = await openDatabase({ url }, 3);
const pool = await getPool(orm.em);
pool.on("error", () => {});
afterAll(() => orm.close(true));
beforeEach(() => [first, second].forEach((proxy) => proxy.set("pass")));

const readName = async () => (await pool.query<{ name: string }>("select current_database() as name")).rows[0]?.name;

test("continues on the other server when one is lost", async () => {
  for (const lost of [first, second]) {
    for (const proxy of [first, second]) proxy.set(proxy === lost ? "refuse" : "pass");
    await expect.poll(() => readName().catch(() => null)).toBe(dbName);
    expect(await Promise.all([readName(), readName(), readName()])).toEqual([dbName, dbName, dbName]);
  }
});

test("answers that the database is unavailable while no server is there", async () => {
  for (const proxy of [first, second]) proxy.set("refuse");
  await expect(readName().catch((error: unknown) => isDatabaseUnavailable(error))).resolves.toBe(true);
  second.set("pass");
  await expect.poll(() => readName().catch(() => null)).toBe(dbName);
});

test("uses no server that accepts no writes, and leaves one that stops accepting them", async () => {
  await readName();
  const admin = new pg.Client({ ...database.owner, database: "postgres" });
  await admin.connect();
  await admin.query(`alter database "${dbName}" set default_transaction_read_only = on`);
  try {
    const busy = await pool.connect();
    await busy.query("set default_transaction_read_only = on");
    await expect(busy.query("delete from settings where name = 'none'")).rejects.toMatchObject({ code: "25006" });
    await expect(busy.query("select 1")).rejects.toThrow();
    busy.release(true);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [dbName]);
    await expect.poll(() => readName().catch((error: { code?: string }) => error.code)).toBe("25006");
  } finally {
    await admin.query(`alter database "${dbName}" reset default_transaction_read_only`);
    await admin.end();
  }
  await expect.poll(() => readName().catch(() => null)).toBe(dbName);
});

test("connects over the socket that a URL names", async () => {
  const socket = `postgres:///${dbName}?host=${encodeURIComponent(database.host)}&user=${user}`;
  const local = await openDatabase({ url: socket });
  const { rows } = await (await getPool(local.em)).query("select current_database() as name");
  await local.close(true);
  expect(rows).toEqual([{ name: dbName }]);
});

test("reads one or more hosts, and refuses what it doesn't know", () => {
  expect(readDatabaseHosts("postgres://u:p@a,[::1]:5433,c:1/portal")).toEqual({
    isWritable: false,
    hosts: [
      { host: "a", port: 5432 },
      { host: "::1", port: 5433 },
      { host: "c", port: 1 },
    ],
  });
  expect(readDatabaseHosts("postgres://u:p%40@a/portal")).toBeNull();
  expect(readDatabaseHosts("postgres://a/portal?target_session_attrs=primary")?.hosts).toHaveLength(1);
  expect(replaceDatabaseName("postgres://u:p@a,b/portal?sslmode=require", "scratch")).toBe(
    "postgres://u:p@a,b/scratch?sslmode=require",
  );
  for (const wrong of [
    "mysql://a/x",
    "postgres://a,/x",
    "postgres://a:x,b/x",
    "postgres://a/x?target_session_attrs=standby",
    "a",
  ])
    expect([wrong, isDatabaseUrl(wrong)]).toEqual([wrong, false]);
});
