import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { randomBytes } from "node:crypto";
import { conflict, unprocessable } from "#api/platform/errors.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Creates an empty database on the server of `client` for `work`, and drops it afterwards. First drops those that interrupted
 * calls left, because they contain all data.
 * @throws AppError UNPROCESSABLE if the role can't create databases
 */
export async function withScratchDatabase(client: Client, work: (name: string) => Promise<void>): Promise<void> {
  // The name belongs to the connection's database, because its lock is only seen there.
  const { rows } = await client.query<{ prefix: string }>(
    "select 'verify_' || left(md5(current_database()), 8) || '_' as prefix",
  );
  const prefix = rows[0]?.prefix ?? "";
  const name = `${prefix}${randomBytes(6).toString("hex")}`;
  await takeLock(client, name);
  await dropLeftovers(client, prefix);
  await client.query(`create database ${name}`).catch((error: Error) => {
    throw unprocessable(
      `The scratch database can't be created: ${error.message}. Run as a superuser: alter role … createdb`,
    );
  });
  try {
    await work(name);
  } finally {
    await drop(client, name);
  }
}

/** Takes the lock of a scratch database until the connection ends. Returns false if another process uses the database. */
async function takeLock(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock(hashtext($1)) as taken", [name]);
  return rows[0]?.taken ?? false;
}

async function dropLeftovers(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1) and pg_has_role(datdba, 'usage')",
    [prefix],
  );
  for (const { name } of rows) if (await takeLock(client, name)) await drop(client, name);
}

const drop = (client: Client, name: string) => client.query(`drop database if exists "${name}" with (force)`);

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Loads a backup into a migrated, empty database, in one transaction. Foreign keys and triggers are off meanwhile, and the
 * foreign keys are checked at the end.
 * @param finish runs in the same transaction after the data is loaded
 * @throws AppError UNPROCESSABLE if a table has another number of rows than the backup, CONFLICT if the database has users
 */
export async function loadBackup(
  client: Client,
  folder: string,
  manifest: Manifest,
  { finish, onProgress }: { finish: (client: Client) => Promise<void>; onProgress: (line: string) => void },
): Promise<void> {
  await client.query("begin");
  try {
    await createMonths(client, manifest);
    const keys = await dropForeignKeys(client);
    // Again, because someone may have registered while the files were copied. From here on, the table is locked.
    await requireEmpty(client);
    const names = manifest.tables.map(({ table }) => `"${table}"`);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    // Migrations insert some rows, which the backup has too.
    await client.query(`truncate ${names.join(", ")}`);
    for (const { table, name, columns, rows } of manifest.tables) {
      const list = columns.map((column) => `"${column}"`).join(", ");
      const copy = client.query(copyFrom(`copy "${table}" (${list}) from stdin`));
      await pipeline(createReadStream(join(folder, name)), createGunzip(), copy);
      if (copy.rowCount !== rows) throw unprocessable(`${table} has ${copy.rowCount} rows instead of ${rows}.`);
      onProgress(`${table}: ${rows} rows`);
    }
    for (const { name, last, isUsed } of manifest.sequences)
      await client.query("select setval($1::regclass, $2::bigint, $3)", [`"${name}"`, last, isUsed]);
    await finish(client);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint "${name}" ${definition}`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Checks that a migrated database has no users.
 * @throws AppError CONFLICT if it has
 */
export async function requireEmpty(client: Client): Promise<void> {
  if ((await client.query("select from users limit 1")).rowCount)
    throw conflict("The database isn't empty. Restore into an empty one.");
}

/** Creates the months of licence events that the migrations didn't create. */
async function createMonths(client: Client, { partitions, tables }: Manifest): Promise<void> {
  for (const { name, bound } of partitions)
    await client.query(
      `create table if not exists "${name}" partition of licence_events ${bound} with (fillfactor = 90)`,
    );
  for (const { table, monthOf } of tables)
    if (monthOf) await client.query(`create table if not exists "${table}" (like "${monthOf}" including all)`);
}

async function dropForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0 order by 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint "${name}"`);
  return rows;
}
