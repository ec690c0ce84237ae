/**
 * Adds the next migration to `api/migrations/index.ts`, from the differences between the entities and the migrated database:
 * `npm run migration -- add-leases`. A developer then reviews and completes the SQL.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { migrate, openDatabase } from "#api/app/database.ts";
import { migrations } from "#api/migrations/index.ts";
import { nextMigration, withMigration } from "./next-migration.ts";

const words = argv[2];
if (!words || !/^[a-z][a-z0-9-]+$/.test(words))
  throw new Error("Name the migration in kebab case: npm run migration -- add-leases");

const index = join(import.meta.dirname, "../api/migrations/index.ts");
// Runs before the database starts, so that a name already in use is reported quickly.
const next = nextMigration(
  migrations.map(({ name }) => name),
  words,
);

const dataDir = mkdtempSync(join(tmpdir(), "migration-"));
const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
const address = { host: postgres.host, port: postgres.port, user: postgres.user, dbName: postgres.database };
try {
  await migrate(address);
  const orm = await openDatabase(address, 2);
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false });
  await orm.close(true);
  if (!sql.trim()) {
    console.log("The entities and the migrations agree; nothing to write.");
  } else {
    writeFileSync(index, withMigration(readFileSync(index, "utf8"), next, sql));
    console.log(`Added ${next} to api/migrations/index.ts.`);
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
