import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readKeySettings } from "#api/config.ts";
import { sealedColumns } from "#api/app/sealed-columns.ts";
import { openOrStartEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { getSealPattern } from "#api/platform/keys/sealed-secrets.ts";

/**
 * Counts the stored secrets that only a key decrypts. Returns 0 if this machine has no database, for example because the
 * keys are managed elsewhere.
 */
export async function findSecretCount(ring: "signing" | "encryption", kid: string): Promise<number> {
  const { databaseUrl, dataDir } = readKeySettings();
  const folder = join(dataDir, "postgres");
  if (databaseUrl) return count({ connectionString: databaseUrl }, ring, kid);
  if (!existsSync(folder)) return 0;
  const embedded = await openOrStartEmbeddedPostgres({ dataDir: folder });
  try {
    const { host, port, user, password, database } = embedded;
    return await count({ host, port, user, password, database }, ring, kid);
  } finally {
    await embedded.stop();
  }
}

async function count(config: pg.ClientConfig, ring: "signing" | "encryption", kid: string): Promise<number> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    let total = 0;
    for (const { table, column } of sealedColumns) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${table} where ${column} like $1`,
        [getSealPattern(ring, kid)],
      );
      total += rows[0]?.count ?? 0;
    }
    return total;
  } finally {
    await client.end();
  }
}
