import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { emptyDatabase, readPristine } from "./empty-database.ts";
import { whenDone } from "./when-done.ts";
import { withClient } from "./with-client.ts";

/** Migrated, empty database of one test file, as `openDatabase` accepts it. */
export interface TestDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly dbName: string;
  /** Address of the superuser, who owns the audit tables; missing in a database without tables, which it owns. */
  readonly owner?: Omit<TestDatabase, "owner">;
}

/** Name of the newest test database, which belongs to the running test file. */
let current = "";

/** Returns the name of the running test file's database. A worker may still be closing connections of earlier files. */
export const getCurrentDatabase = (): string => current;

/** Databases that test files before this one emptied, or are emptying; null for one that has to be copied again. */
const emptied: Promise<TestDatabase | null>[] = [];

/**
 * Returns an empty database with all tables: the one of an earlier test file, or a copy of the test run's template. Empties
 * it after the test file. Call it before anything opens the database, because hooks run in reverse order.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = (await emptied.pop()) ?? (await copyTemplate());
  whenDone(() => void emptied.push(reuse(database)));
  current = database.dbName;
  return database;
}

/**
 * Empties a database and renames it, so that nothing an earlier file left running finds it. Drops it if it can't be used
 * again. Nothing waits for the drop, because the server's folder is deleted.
 */
async function reuse(database: TestDatabase): Promise<TestDatabase | null> {
  try {
    if (await emptyDatabase(database)) {
      const renamed = describeDatabase();
      await runOnServer(`alter database ${database.dbName} rename to ${renamed.dbName}`);
      return renamed;
    }
  } catch {
    // Something of the file still connects to it.
  }
  void runOnServer(`drop database if exists ${database.dbName} with (force)`).catch(() => {});
  return null;
}

async function copyTemplate(): Promise<TestDatabase> {
  const { template, role } = inject("cluster");
  const database = describeDatabase();
  // Copying the files takes a third of the processor time of copying the pages one by one.
  await runOnServer(`create database ${database.dbName} template ${template} strategy file_copy`);
  // Rights on a database aren't copied.
  await runOnServer(`grant create on database ${database.dbName} to ${role}`);
  await readPristine(database);
  return database;
}

/** Returns the address of a database with a new name, which doesn't exist yet. */
function describeDatabase(): TestDatabase {
  const { template: _, role, ...server } = inject("cluster");
  const owner = { ...server, dbName: `test_${randomBytes(6).toString("hex")}` };
  return { ...owner, user: role, owner };
}

/** Creates a database without tables and drops it after the test file. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { template: _, role: _role, ...server } = inject("cluster");
  const dbName = `empty_${randomBytes(6).toString("hex")}`;
  await runOnServer(`create database ${dbName} template template0`);
  whenDone(() => runOnServer(`drop database ${dbName} with (force)`));
  return { ...server, dbName };
}

/** Opens connections to a database, besides those of the product. */
export function openPool(database: TestDatabase, max = 10): pg.Pool {
  const { owner: _, dbName, ...server } = database;
  const pool = new pg.Pool({ ...server, database: dbName, max });
  // `end` doesn't wait until the connections are closed, so emptying or dropping the database may still terminate them. Without
  // listeners, that would be an uncaught error.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  whenDone(() => pool.end());
  return pool;
}

/** Opens connections of the role that owns the audit tables and the journal, as an attacker may have it. */
export const openOwnerPool = (database: TestDatabase): pg.Pool => openPool({ ...database, ...database.owner }, 2);

/** Builds the `DATABASE_URL` of a database. */
export const buildDatabaseUrl = ({ host, port, user, password, dbName }: TestDatabase): string =>
  `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${dbName}`;

/** Creates a database with one user, because outside production a server adds demo data to a database without users. */
export async function createDatabaseWithoutDemo(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const { owner: _, dbName, ...server } = database;
  await withClient({ ...server, database: dbName }, (client) => client.query(insertUserSql));
  return database;
}

/** SQL statement that inserts a user who can't sign in. */
export const insertUserSql = `insert into users
    (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile, registered_at)
  values (gen_random_uuid(), gen_random_uuid(), 'First', 'User', 'first@example.com', 'first@example.com', '-', '-', now())`;

async function runOnServer(statement: string): Promise<void> {
  const { host, port, user, password } = inject("cluster");
  await withClient({ host, port, user, password, database: "postgres" }, (client) => client.query(statement));
}
