import { expect, test } from "vitest";
import { migrate, openDatabase } from "#api/platform/database.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();

test("the entities and the migrated database say the same", async () => {
  const orm = await openDatabase(database, 2);
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
  } finally {
    await orm.close(true);
  }
});

test("migrating again, from five processes at once, changes nothing", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(database)));
  const orm = await openDatabase(database, 2);
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
  } finally {
    await orm.close(true);
  }
});
