import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";

/** Migrated, empty database of one test file, as `openDatabase` accepts it. */
export interface TestDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly dbName: string;
}

/** Name of the newest test database, which belongs to the running test file. */
let current = "";

/** Returns the name of the running test file's database. A worker may still be closing connections of earlier files. */
export const getCurrentDatabase = (): string => current;

/**
 * Copies the template of the test run (about 50 ms) and drops the copy after the test file. Call it before anything opens
 * the database, because hooks run in reverse order.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, ...server } = inject("cluster");
  const dbName = `test_${randomBytes(6).toString("hex")}`;
  await runOnServer(server, `create database ${dbName} template ${template}`);
  afterAll(() => runOnServer(server, `drop database ${dbName} with (force)`));
  current = dbName;
  return { ...server, dbName };
}

/** Creates a database without tables and drops it after the test file. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { template: _, ...server } = inject("cluster");
  const dbName = `empty_${randomBytes(6).toString("hex")}`;
  await runOnServer(server, `create database ${dbName} template template0`);
  afterAll(() => runOnServer(server, `drop database ${dbName} with (force)`));
  return { ...server, dbName };
}

/** Builds the `DATABASE_URL` of a database. */
export function buildDatabaseUrl({ host, port, user, password, dbName }: TestDatabase): string {
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${dbName}`;
}

/** Creates a database with one user, because outside production a server adds demo data to a database without users. */
export async function createDatabaseWithoutDemo(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const { dbName, ...server } = database;
  const client = new pg.Client({ ...server, database: dbName });
  await client.connect();
  await client.query(insertUserSql);
  await client.end();
  return database;
}

/** SQL statement that inserts a user who can't sign in. */
export const insertUserSql = `insert into users
    (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile, registered_at)
  values (gen_random_uuid(), gen_random_uuid(), 'First', 'User', 'first@example.com', 'first@example.com', '-', '-', now())`;

async function runOnServer(server: Omit<TestDatabase, "dbName">, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
