import type { MikroORM } from "@mikro-orm/postgresql";
import type { Migration } from "@mikro-orm/migrations";
import type { Pool, PoolClient } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DatabaseAddress,
  type DatabaseSchema,
  type EntityManager,
  getPool,
  inTransaction,
  openOrm,
} from "./database.ts";
import { installJobQueue } from "#api/platform/jobs/job-queues.ts";
import { explainMissingRight, readRole, separateRoles } from "./separate-roles.ts";
import { findMigrationEffects, type MigrationEffect } from "./migration-effects.ts";

/** Key of the advisory lock that lets one process at a time migrate. */
const MIGRATION_LOCK = 7_426_001;

/**
 * Longest wait for a table's lock in milliseconds. Requests on the table wait behind the migration for this long, and
 * PostgreSQL looks for deadlocks only after a second, so the migration gives way first.
 */
const LOCK_WAIT_MS = 300;

/** Pause before the next attempt, in which waiting requests run, in milliseconds. */
const RETRY_MS = 1_500;

/** Time after which a migration that never gets its locks fails, in milliseconds. */
const GIVE_UP_MS = 15 * 60_000;

/** SQLSTATEs after which a migration runs again: lock timeout, deadlock, serialization failure. */
const retried = new Set(["55P03", "40P01", "40001"]);

/** Events of a migration, for the log of a process and the output of a command. */
export interface MigrationReport {
  readonly applied?: (name: string, ms: number) => void;
  /** Called when a migration waits for another transaction. */
  readonly waiting?: (name: string, attempt: number) => void;
}

/** A pending migration and its effects on existing tables. */
export interface PendingMigration {
  readonly name: string;
  readonly effects: readonly (MigrationEffect & {
    /** Estimated number of rows in the table. */
    readonly rows: number;
    /** Estimated duration in seconds. */
    readonly seconds: number;
  })[];
}

export interface MigrationStatus {
  readonly applied: readonly { readonly name: string; readonly at: string }[];
  readonly pending: readonly PendingMigration[];
}

/**
 * Migrates the database to the newest schema while other processes serve requests. Each migration is a transaction of its
 * own, which gives up after a short wait for a lock and runs again. Several processes may call it at the same time: one
 * migrates, and the others then find nothing to do.
 * @param address a connection in session mode. If it has an owner, the owner migrates and divides the database between both.
 * @throws AppError UNPROCESSABLE naming the statements for a superuser if the owner lacks a right
 */
export async function migrateSchema(
  address: DatabaseAddress,
  schema: DatabaseSchema,
  report: MigrationReport = {},
): Promise<void> {
  await withMigrator(address.owner ?? address, schema, async (orm, pool) => {
    const guard = await pool.connect();
    // A lost connection already fails the statement. Without a listener, its error event would end the process.
    guard.on("error", () => {});
    try {
      await takeMigrationLock(guard);
      const divide = async () =>
        address.owner && schema.owned ? separateRoles(pool, readRole(address), schema.owned) : undefined;
      // Before the migrations, so that the owner may read what the application has.
      await divide();
      for (const { name } of await orm.migrator.getPending()) await applyMigration(orm, schema, name, report);
      await installJobQueue(pool);
      await divide();
    } finally {
      await guard.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => {});
      guard.release();
    }
  }).catch((error: unknown) => {
    throw explainMissingRight(error, address);
  });
}

/** Returns the applied migrations, and the pending ones with an estimate of what they block. */
export async function readMigrationStatus(address: DatabaseAddress, schema: DatabaseSchema): Promise<MigrationStatus> {
  return withMigrator(address, schema, async (_orm, pool) => {
    const applied = await readApplied(pool);
    const pending: PendingMigration[] = [];
    for (const name of findPending(schema, applied)) {
      const effects = findMigrationEffects(await readStatements(schema, name));
      const rows = await countRows(pool, effects);
      pending.push({
        name,
        effects: effects.map((one) => {
          const count = rows.get(one.table) ?? 0;
          return { ...one, rows: count, seconds: estimateSeconds(one.work, count) };
        }),
      });
    }
    return { applied, pending };
  });
}

/** Returns the names of the migrations that the database doesn't have yet. */
export async function listPendingMigrations(address: DatabaseAddress, schema: DatabaseSchema): Promise<string[]> {
  return withMigrator(address, schema, async (_orm, pool) => findPending(schema, await readApplied(pool)));
}

/** Reads the applied migrations. The migrator would create their table, which the application's role may not. */
async function readApplied(pool: Pool): Promise<MigrationStatus["applied"]> {
  const { rows: tables } = await pool.query("select where to_regclass('mikro_orm_migrations') is not null");
  if (tables.length === 0) return [];
  const { rows } = await pool.query<{ name: string; at: string }>(
    `select name, to_char(executed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from mikro_orm_migrations order by id`,
  );
  return rows;
}

function findPending({ migrations }: DatabaseSchema, applied: MigrationStatus["applied"]): string[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations.flatMap((one) => (typeof one === "function" || names.has(one.name) ? [] : [one.name]));
}

async function withMigrator<Result>(
  address: DatabaseAddress,
  schema: DatabaseSchema,
  work: (orm: MikroORM, pool: Pool) => Promise<Result>,
): Promise<Result> {
  const orm = await openOrm(address, schema, null);
  try {
    return await work(orm, await getPool(orm.em));
  } finally {
    await orm.close(true);
  }
}

/**
 * Polls for the lock. A process that waits inside a statement keeps a snapshot, for which CREATE INDEX CONCURRENTLY of
 * the migrating process would wait forever.
 */
async function takeMigrationLock(guard: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await guard.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
}

async function applyMigration(
  orm: MikroORM,
  schema: DatabaseSchema,
  name: string,
  report: MigrationReport,
): Promise<void> {
  const startedAt = performance.now();
  const isTransactional = createMigration(schema, name).isTransactional();
  for (let attempt = 1; ; attempt++) {
    try {
      if (!isTransactional) await applyWithoutTransaction(orm, schema, name);
      else
        await inTransaction({ em: orm.em.fork() as EntityManager }, async (em) => {
          await em.execute(`set local lock_timeout = ${LOCK_WAIT_MS}`);
          await orm.migrator.up({ migrations: [name], transaction: em.getTransactionContext() as never });
        });
      return report.applied?.(name, performance.now() - startedAt);
    } catch (error) {
      if (!retried.has(String((error as { code?: unknown }).code)) || performance.now() - startedAt > GIVE_UP_MS)
        throw error;
      report.waiting?.(name, attempt);
      await sleep(RETRY_MS);
    }
  }
}

/** Applies a migration that builds an index concurrently, which PostgreSQL refuses in a transaction. */
async function applyWithoutTransaction(orm: MikroORM, schema: DatabaseSchema, name: string): Promise<void> {
  const pool = await getPool(orm.em);
  for (const statement of await readStatements(schema, name)) await pool.query(statement);
  await orm.migrator.logMigration(name);
}

function createMigration({ migrations }: DatabaseSchema, name: string): Migration {
  const found = migrations.find((one) => typeof one === "object" && one.name === name);
  if (!found || typeof found === "function") throw new Error(`There is no migration ${name}.`);
  return Reflect.construct(found.class, [null, null]) as Migration;
}

/** Returns the SQL of a migration without running it. */
async function readStatements(schema: DatabaseSchema, name: string): Promise<string[]> {
  const migration = createMigration(schema, name);
  await migration.up();
  return migration.getQueries().filter((one) => typeof one === "string");
}

async function countRows(pool: Pool, effects: readonly MigrationEffect[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; rows: number }>(
    `select c.relname as name,
            greatest(c.reltuples, 0)::float8 + coalesce((select sum(greatest(p.reltuples, 0)) from pg_inherits i
              join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), 0)::float8 as rows
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any($1)`,
    [effects.map(({ table }) => table)],
  );
  return new Map(rows.map((row) => [row.name, row.rows]));
}

/** Microseconds for each row, measured on a laptop's SSD (docs/operations.md#upgrade). */
const microseconds = { scan: 1, index: 4, rewrite: 25, write: 50 } as const;

function estimateSeconds(work: MigrationEffect["work"], rows: number): number {
  return work ? Math.ceil((rows * microseconds[work]) / 1_000_000) : 0;
}
