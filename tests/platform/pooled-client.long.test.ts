import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { type EntityManager, getPool, inTransaction, query } from "#api/platform/database/database.ts";
import { openDatabase } from "#api/app/database.ts";
import { Setting } from "#api/platform/database/setting.entity.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();
const orm = await openDatabase(database, 4, true);
afterAll(() => orm.close(true));
const pool = await getPool(orm.em);
const em = () => orm.em.fork() as EntityManager;
const limitsSql = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`;
const limits = { statement: "5s", lock: "2s", idle: "15s", jit: "off" };

test("also limits without a pooler, by start-up parameters", async () => {
  const direct = await openDatabase(database, 1, false);
  expect(await query(direct.em.fork() as EntityManager, limitsSql, [])).toEqual([limits]);
  await direct.close(true);
});

test("limits single statements and transactions, and leaves nothing in the session", async () => {
  expect((await pool.query(limitsSql)).rows).toEqual([limits]);
  expect(await inTransaction({ em: em() }, (inner) => query(inner, limitsSql, []))).toEqual([limits]);
  const client = await pool.connect();
  const { rows } = await new Promise<pg.QueryResult>((resolve) => {
    // A query object goes to the server unchanged, so it sees the session's own settings.
    const Query = pg.Query as unknown as new (...given: unknown[]) => pg.Submittable;
    client.query(new Query(limitsSql, (_error: Error, result: pg.QueryResult) => resolve(result)));
  });
  client.release();
  expect(rows).toEqual([{ statement: "0", lock: "0", idle: "0", jit: "on" }]);
});

test("prepares no statement by name", async () => {
  for (let run = 0; run < 3; run++)
    expect((await pool.query({ name: "named", text: "select $1::int as n", values: [run] })).rows).toEqual([
      { n: run },
    ]);
  expect((await pool.query("select count(*)::int as count from pg_prepared_statements")).rows).toEqual([{ count: 0 }]);
});

test("ends a statement that waits too long for a lock, and one that runs too long", async () => {
  await pool.query("insert into settings (name, value) values ('limits', '1')");
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("update settings set value = '2' where name = 'limits'");
  await expect(pool.query("update settings set value = '3' where name = 'limits'")).rejects.toMatchObject({
    code: "55P03",
  });
  await holder.query("rollback");
  holder.release();
  await expect(pool.query("select pg_sleep(10)")).rejects.toMatchObject({ code: "57014" });
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
}, 20_000);

test("commits, rolls back and reports errors like a client without a pooler", async () => {
  const count = async () =>
    (await pool.query<{ count: number }>("select count(*)::int as count from settings where name like 'tx-%'")).rows[0]
      ?.count;
  await inTransaction({ em: em() }, async (inner) => {
    inner.persist(inner.create(Setting, { name: "tx-kept", value: {} }));
  });
  await expect(
    inTransaction({ em: em() }, async (inner) => {
      await query(inner, "insert into settings (name, value) values ('tx-lost', '1')", []);
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  await expect(pool.query("insert into settings (name, value) values ('tx-kept', '1')")).rejects.toMatchObject({
    code: "23505",
  });
  expect(await count()).toBe(1);
  expect(
    await new Promise((resolve) => pool.query("select 2 as two", (_error, result) => resolve(result.rows))),
  ).toEqual([{ two: 2 }]);
});
