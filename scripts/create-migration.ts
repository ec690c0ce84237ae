/**
 * Generates the next migration from the differences between the entities and the migrated database, and lists it in
 * `api/migrations/index.ts`: `npm run migration -- add-leases`. A developer then reviews and completes the SQL.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { migrate, openDatabase } from "#api/app/database.ts";
import { migrationSource, nextMigration, withMigration } from "./next-migration.ts";

const words = argv[2];
if (!words || !/^[a-z][a-z0-9-]+$/.test(words))
  throw new Error("Name the migration in kebab case: npm run migration -- add-leases");

const folder = join(import.meta.dirname, "../api/migrations");
const index = join(folder, "index.ts");
// Runs before the database starts, so that a name already in use is reported quickly.
const next = nextMigration(readdirSync(folder), words);
const newIndex = withMigration(readFileSync(index, "utf8"), next);

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
    // "wx" fails instead of overwriting a file that was created in the meantime.
    writeFileSync(join(folder, `${next.name}.ts`), migrationSource(next, words, sql), { flag: "wx" });
    writeFileSync(index, newIndex);
    console.log(`Wrote api/migrations/${next.name}.ts and listed it in api/migrations/index.ts.`);
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
