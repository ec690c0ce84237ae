import type { MikroORM } from "@mikro-orm/postgresql";
import { migrations } from "#api/migrations/index.ts";
import { type DatabaseAddress, migrateSchema, openOrm } from "#api/platform/database.ts";
import { entities } from "./entities.ts";

const schema = { entities, migrations };

/** Opens the product's database. Connections are opened when first needed. */
export async function openDatabase(address: DatabaseAddress, poolSize = 10): Promise<MikroORM> {
  return openOrm(address, schema, poolSize);
}

/** Migrates the product's database to the newest schema. Several processes may call it at the same time. */
export async function migrate(address: DatabaseAddress): Promise<void> {
  await migrateSchema(address, schema);
}
