import type { MikroORM } from "@mikro-orm/postgresql";
import { migrations } from "#api/migrations/index.ts";
import { type DatabaseAddress, migrateSchema, openOrm } from "#api/platform/database.ts";
import { entities } from "./entities.ts";

const schema = { entities, migrations };

/** Opens the product's database; connections are made when first needed. */
export async function openDatabase(address: DatabaseAddress, poolSize = 10): Promise<MikroORM> {
  return openOrm(address, schema, poolSize);
}

/** Brings the product's database to the newest schema; safe to call from many processes at once. */
export async function migrate(address: DatabaseAddress): Promise<void> {
  await migrateSchema(address, schema);
}
