/**
 * Writes the next migration from what the entities say and the migrated database lacks:
 * `npm run migration -- add-leases`. The SQL is then read and mended by a person.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { startEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";
import { migrate, openDatabase } from "#api/platform/database.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const name = argv[2];
if (!name || !/^[a-z][a-z0-9-]+$/.test(name))
  throw new Error("Name the migration in kebab case: npm run migration -- add-leases");

const folder = join(import.meta.dirname, "../api/migrations");
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
    const number = String(readdirSync(folder).filter((file) => /^\d{4}-/.test(file)).length + 1).padStart(4, "0");
    const className = `Migration${number}`;
    const statements = sql
      .split(/;\s*\n/)
      .map((statement) => statement.trim().replace(/;$/, ""))
      .filter(Boolean)
      .map((statement) => `    this.addSql(\`${statement}\`);`)
      .join("\n");
    writeFileSync(
      join(folder, `${number}-${name}.ts`),
      `import { Migration } from "@mikro-orm/migrations";\n\n/** ${name.replaceAll("-", " ")} */\nexport class ${className} extends Migration {\n  override up(): void {\n${statements}\n  }\n}\n`,
    );
    const index = join(folder, "index.ts");
    const source = readFileSync(index, "utf8");
    writeFileSync(
      index,
      source
        .replace(/^/, `import { ${className} } from "./${number}-${name}.ts";\n`)
        .replace(/\];\s*$/, `  { name: "${number}-${name}", class: ${className} },\n];\n`),
    );
    console.log(`Wrote api/migrations/${number}-${name}.ts`);
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
