import { expect, test } from "vitest";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { migrate, openDatabase } from "#api/app/database.ts";
import { query } from "#api/platform/database.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();

test("creates a schema that matches the entities", async () => {
  const orm = await openDatabase(database, 2);
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
  } finally {
    await orm.close(true);
  }
});

test("creates the columns of the licence event entity, which the schema comparison skips", async () => {
  const orm = await openDatabase(database, 2);
  try {
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
    const byName = (one: { name?: string }, other: { name?: string }) =>
      (one.name ?? "").localeCompare(other.name ?? "");
    expect(rows.toSorted(byName)).toEqual(declared.toSorted(byName));
  } finally {
    await orm.close(true);
  }
});

test("changes nothing when five processes migrate again at the same time", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(database)));
  const orm = await openDatabase(database, 2);
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
  } finally {
    await orm.close(true);
  }
});
