import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { unprocessable } from "#api/platform/errors.ts";

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
