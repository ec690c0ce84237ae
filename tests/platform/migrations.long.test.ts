import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { migrate, openDatabase, getMigrationStatus, prepareSchema } from "#api/app/database.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { migrations } from "#api/migrations/index.ts";
import { query } from "#api/platform/database/database.ts";
import { concurrently, defineMigration } from "#api/platform/database/define-migration.ts";
import { migrateSchema } from "#api/platform/database/migrate.ts";
import { defaultOperations } from "#api/platform/operations-settings.ts";
import { Setting } from "#api/platform/database/setting.entity.ts";
import { createEmptyDatabase, createTestDatabase, openPool } from "#tests/support/test-database.ts";
import { whenDone } from "#tests/support/when-done.ts";

const database = await createTestDatabase();

// No entities describe the tables of the payment simulator.
const { dbName, ...server } = database;
const client = new pg.Client({ ...server, database: dbName });
await client.connect();
await client.query("drop schema if exists payment_simulator cascade");
await client.end();

const orm = await openDatabase(database, 2);
whenDone(() => orm.close(true));

test("creates the columns of the licence event entity, which the schema comparison skips", async () => {
  const rows = await query<{ name: string; type: string; nullable: boolean }>(
    orm.em.fork(),
    `select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
       from pg_attribute where attrelid = 'licence_events'::regclass and attnum > 0 and not attisdropped`,
    [],
  );
  const types: Record<string, string> = {
    bigserial: "bigint",
    int: "integer",
    "timestamptz(0)": "timestamp with time zone",
    timestamptz: "timestamp with time zone",
    "varchar(255)": "character varying(255)",
  };
  const declared = orm.getMetadata(LicenceEvent).props.map(({ fieldNames, columnTypes, nullable }) => ({
    name: fieldNames[0],
    type: types[columnTypes[0] ?? ""] ?? columnTypes[0],
    nullable: nullable ?? false,
  }));
  const byName = (one: { name?: string }, other: { name?: string }) => (one.name ?? "").localeCompare(other.name ?? "");
  expect(rows.toSorted(byName)).toEqual(declared.toSorted(byName));
});

test("has a schema that matches the entities after five processes migrate again at the same time", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(database)));
  expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
});

describe("migrating", () => {
  const pool = openPool(database);

  function addColumn(name: string, table = "users") {
    return { name, class: defineMigration([`alter table "${table}" add column "${name}" int null`]) };
  }

  test("lets requests continue while a migration waits for a long reader, and applies it afterwards", async () => {
    const reader = await pool.connect();
    await reader.query("begin");
    await reader.query("select from users limit 1");
    const waits: number[] = [];
    const given = { entities: [Setting], migrations: [addColumn("waited")] };
    const done = migrateSchema(database, given, { waiting: (_name, attempt) => void waits.push(attempt) });
    const durations: number[] = [];
    const endAt = performance.now() + 3_000;
    while (performance.now() < endAt) {
      const startedAt = performance.now();
      await pool.query("select count(*) from users");
      durations.push(performance.now() - startedAt);
      await sleep(5);
    }
    await reader.query("commit");
    reader.release();
    await done;
    expect(waits.length).toBeGreaterThanOrEqual(1);
    expect(Math.max(...durations)).toBeLessThan(1_000);
    expect((await pool.query("select waited from users limit 1")).fields).toHaveLength(1);
  }, 20_000);

  test("keeps the migrations before one that fails", async () => {
    const broken = [addColumn("kept"), addColumn("refused", "no_such_table"), addColumn("later")];
    await expect(migrateSchema(database, { entities: [Setting], migrations: broken })).rejects.toThrow("no_such_table");
    const { rows } = await pool.query(
      "select name from mikro_orm_migrations where name in ('kept', 'refused', 'later')",
    );
    expect(rows).toEqual([{ name: "kept" }]);
  });

  test("builds an index concurrently while another process waits to migrate", async () => {
    const indexed = {
      name: "indexed",
      class: defineMigration(
        concurrently([
          "drop index concurrently if exists users_by_note",
          "create index concurrently users_by_note on users (mobile)",
        ]),
      ),
    };
    const schema = { entities: [Setting], migrations: [indexed] };
    await Promise.all([
      migrateSchema(database, schema),
      migrateSchema(database, schema),
      migrateSchema(database, schema),
    ]);
    const { rows } = await pool.query("select indisvalid from pg_index where indexrelid = 'users_by_note'::regclass");
    expect(rows).toEqual([{ indisvalid: true }]);
  }, 20_000);

  test("lists those of an empty database without creating a table, which a server may not", async () => {
    const empty = await createEmptyDatabase();
    const { applied, pending } = await getMigrationStatus(empty);
    expect([applied.length, pending.length]).toEqual([0, migrations.length]);
    const { rows } = await openPool(empty).query("select from pg_tables where schemaname = 'public'");
    expect(rows).toEqual([]);
  });

  test("lists applied and pending migrations with what they block", async () => {
    expect((await getMigrationStatus(database)).pending).toEqual([]);
    await pool.query("delete from mikro_orm_migrations where name = '0080-update-manifests'");
    try {
      const { applied, pending } = await getMigrationStatus(database);
      expect(applied.map(({ name }) => name)).toContain("0001-foundation");
      expect(pending).toMatchObject([
        {
          name: "0080-update-manifests",
          effects: expect.arrayContaining([
            expect.objectContaining({
              table: "software_channels",
              blocks: "everything",
              change: "add a column",
              seconds: 0,
            }),
          ]),
        },
      ]);
      const manual = { operations: { ...defaultOperations, migratesManually: true } };
      await expect(prepareSchema(manual, database)).rejects.toThrow(
        /lacks 1 migration, the first is 0080-update-manifests. Run `node dist\/server\/server.js migrate`/,
      );
    } finally {
      await pool.query("insert into mikro_orm_migrations (name, executed_at) values ('0080-update-manifests', now())");
    }
    const manual = { operations: { ...defaultOperations, migratesManually: true } };
    await expect(prepareSchema(manual, database)).resolves.toBeUndefined();
    expect(migrations.length).toBeGreaterThan(40);
  });
});
