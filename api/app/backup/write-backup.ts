import { readLastLink } from "#api/audit/chain/seal-entries.ts";
import { randomUUID } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { withClient } from "#api/app/commands/connect.ts";
import type { Config } from "#api/platform/config.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { type Files, createMeasure } from "#api/platform/files/files.ts";
import { BACKUP_FORMAT, type BackupFile, type BackupTable, getKeyIds, type Manifest } from "./manifest.ts";
import { BUILDS_KEY } from "#api/releases/software/add-build.ts";
import { BULK_UPLOADS_PREFIX } from "#api/staff/bulk/process-bulk-run.ts";
import { EVENT_ARCHIVES_PREFIX } from "#api/licensing/licences/archive-event-months.ts";
import { REPORTS_PREFIX } from "#api/staff/saved-reports/write-due-report.ts";
import { makeFolder } from "#api/platform/files/make-folder.ts";

/** First segments of the keys of all stored files. */
export const storedFilePrefixes: readonly string[] = [
  BUILDS_KEY,
  BULK_UPLOADS_PREFIX,
  REPORTS_PREFIX,
  EVENT_ARCHIVES_PREFIX,
];

/** Tables without data worth keeping: counters of the last minutes, and the list of migrations, which a restore writes. */
const skippedTables = ["rate_limits", "mikro_orm_migrations"];

/**
 * Writes a backup of the database and the stored files to a folder. The database is read in one snapshot, while the
 * product is being used. The folder appears only when the backup is complete.
 * @throws AppError CONFLICT if the folder contains anything
 */
export async function writeBackup(
  { address, files, config }: { address: DatabaseAddress; files: Files; config: Config },
  folder: string,
  onProgress: (line: string) => void,
): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw conflict(`${folder} isn't empty. Choose a new folder.`);
  const part = `${folder}.${randomUUID()}.part`;
  makeFolder(join(part, "database"), 0o700);
  try {
    // Nothing keeps the connection while the files are copied: networks drop one that is idle for minutes.
    const database = await withClient(address, (client) => writeDatabase(client, part, onProgress));
    const stored = await writeFiles(files, part, onProgress);
    const manifest: Manifest = { ...database, format: BACKUP_FORMAT, keys: getKeyIds(config), files: stored };
    writeFileSync(join(part, "manifest.json"), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(part, folder);
    return manifest;
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

async function writeDatabase(
  client: Client,
  part: string,
  onProgress: (line: string) => void,
): Promise<Omit<Manifest, "format" | "keys" | "files">> {
  await client.query("begin transaction isolation level repeatable read read only");
  const [first] = await rows<{ now: string; postgres: string }>(
    client,
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now, current_setting('server_version') as postgres`,
  );
  const migrations = await rows<{ name: string }>(client, "select name from mikro_orm_migrations order by id");
  const partitions = await rows<{ name: string; bound: string }>(
    client,
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'licence_events'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by 1`,
  );
  const sequences = await rows<Manifest["sequences"][number]>(
    client,
    `select sequencename as name, coalesce(last_value, start_value)::text as last, last_value is not null as "isUsed"
       from pg_sequences where schemaname = current_schema() order by 1`,
  );
  const found = await rows<{ table: string; columns: string[] }>(
    client,
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
      group by c.relname order by 1`,
    [skippedTables],
  );
  const auditLink = await readLastLink(client);
  const tables: BackupTable[] = [];
  for (const { table, columns } of found) {
    const name = join("database", `${table}.copy.gz`);
    const list = columns.map((column) => `"${column}"`).join(", ");
    const copy = client.query(copyTo(`copy (select ${list} from "${table}") to stdout`));
    const file = await writeStream(copy, part, name, true);
    const monthOf = /^licence_events_\d{4}_\d{2}$/.test(table) ? "licence_events" : null;
    tables.push({ ...file, table, columns, rows: copy.rowCount ?? 0, monthOf });
    onProgress(`${table}: ${copy.rowCount} rows`);
  }
  await client.query("commit");
  return {
    createdAt: first?.now ?? "",
    postgres: first?.postgres ?? "",
    migrations: migrations.map(({ name }) => name),
    partitions,
    auditLink,
    sequences,
    tables,
  };
}

async function writeFiles(files: Files, part: string, onProgress: (line: string) => void): Promise<BackupFile[]> {
  const written: BackupFile[] = [];
  for (const prefix of storedFilePrefixes)
    for await (const { key } of files.list(prefix)) {
      // The rest of an interrupted upload.
      if (key.endsWith(".part")) continue;
      const content = await files.open(key);
      // Deleted since it was listed.
      if (!content) continue;
      written.push(await writeStream(content, part, join("files", key), false));
      onProgress(`${key}: ${written.at(-1)?.sizeBytes} bytes`);
    }
  return written;
}

async function writeStream(content: Readable, part: string, name: string, isZipped: boolean): Promise<BackupFile> {
  const path = join(part, name);
  mkdirSync(dirname(path), { recursive: true });
  const measure = createMeasure();
  const target = createWriteStream(path, { flags: "wx", flush: true, mode: 0o600 });
  if (isZipped) await pipeline(content, createGzip({ level: 1 }), measure.stream, target);
  else await pipeline(content, measure.stream, target);
  return { name, ...measure.result() };
}

async function rows<Row extends object>(client: Client, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}
