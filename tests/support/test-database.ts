import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";

/** A database of a test file's own, migrated and empty. Its shape is what `openDatabase` takes. */
export interface TestDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly dbName: string;
}

/**
 * Copies the run's template (some 50 ms) and drops the copy after the test file. Call it once a file,
 * at the top or in `beforeAll`, before opening anything on it: what was set up later is torn down first.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, ...server } = inject("cluster");
  const dbName = `test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `create database ${dbName} template ${template}`);
  afterAll(() => onServer(server, `drop database ${dbName} with (force)`));
  return { ...server, dbName };
}

/** How a process is told of a database: `DATABASE_URL`. */
export function addressOf({ host, port, user, password, dbName }: TestDatabase): string {
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${dbName}`;
}

/** A database for a process of the product outside production, which fills one without users with demo data. */
export async function createDatabaseWithoutDemo(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const { dbName, ...server } = database;
  const client = new pg.Client({ ...server, database: dbName });
  await client.connect();
  await client.query(firstUser);
  await client.end();
  return database;
}

/** SQL: somebody who cannot sign in. */
export const firstUser = `insert into users
    (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile, registered_at)
  values (gen_random_uuid(), gen_random_uuid(), 'First', 'User', 'first@example.com', 'first@example.com', '-', '-', now())`;

async function onServer(server: Omit<TestDatabase, "dbName">, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
