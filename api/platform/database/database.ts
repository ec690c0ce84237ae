import {
  DataloaderType,
  type EntityName,
  type FilterQuery,
  type FindOneOptions,
  LockMode,
  UniqueConstraintViolationException,
} from "@mikro-orm/core";
import { Migrator } from "@mikro-orm/migrations";
import { type EntityManager, MikroORM, type Options } from "@mikro-orm/postgresql";
import type pg from "pg";
import type { Pool } from "pg";
import { HostsClient, readDatabaseHosts, toSingleHostUrl } from "./database-hosts.ts";
import { readDatabaseTls } from "./encrypted-connections.ts";
import { GuardedClient } from "./guarded-client.ts";
import { PooledClient, type TransactionLimits } from "./pooled-client.ts";
import type { OwnedObjects } from "./separate-roles.ts";
import { parseSearch, type SearchTerm } from "#schema/search.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";

export type { EntityManager } from "@mikro-orm/postgresql";

/** Address of a PostgreSQL server: a URL, or the socket folder of the embedded one. */
export type DatabaseAddress = (
  | { readonly url: string }
  | {
      readonly host: string;
      readonly port?: number;
      readonly user?: string;
      readonly password?: string;
      readonly dbName: string;
    }
) & {
  /** Address of the role that migrates and owns the audit tables (decision 0205); missing if it is the same role. */
  readonly owner?: DatabaseAddress;
};

/** The entities of a database, the migrations that create its tables, and what belongs to the owner's role. */
export type DatabaseSchema = Pick<Options, "entities"> & {
  readonly migrations: NonNullable<NonNullable<Options["migrations"]>["migrationsList"]>;
  readonly owned?: OwnedObjects;
};

/** Time limits of every statement, in milliseconds. */
export const databaseTimeouts = { statementMs: 5_000, lockMs: 2_000, poolMs: 2_500 } as const;

const transactionLimits: TransactionLimits = {
  statement_timeout: databaseTimeouts.statementMs,
  lock_timeout: databaseTimeouts.lockMs,
  // A process that hangs in a transaction must not hold its row locks forever.
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Builds options that limit the time of statements: by start-up parameters or, behind a pooler, in each transaction. Compiling
 * a statement to machine code (JIT) takes 200 ms and more, which a statement that may only take seconds never saves.
 */
export function buildLimits(isPooled: boolean): pg.PoolConfig {
  const limits = isPooled
    ? { Client: PooledClient, transactionLimits }
    : { Client: GuardedClient, options: "-c jit=off", ...transactionLimits };
  return { connectionTimeoutMillis: databaseTimeouts.poolMs, ...limits } as pg.PoolConfig;
}

/** Returns an address as the options of a `pg` pool or client, with TLS and the choice of a server as the URL requires. */
export function toPoolConfig(address: DatabaseAddress): pg.PoolConfig {
  if ("url" in address) {
    const url = toSingleHostUrl(address.url);
    // `pg` would prefer its own reading of the TLS settings, in which `uselibpqcompat` turns verification off.
    for (const name of new Set(url.searchParams.keys()))
      if (name.startsWith("ssl") || name === "uselibpqcompat") url.searchParams.delete(name);
    return {
      connectionString: url.href,
      ssl: readDatabaseTls(address.url),
      Client: HostsClient,
      servers: readDatabaseHosts(address.url) ?? undefined,
    } as pg.PoolConfig;
  }
  const { dbName, owner: _, ...server } = address;
  return { user: "postgres", ...server, database: dbName };
}

/** Options of the connections for requests. */
export interface ConnectionOptions {
  readonly poolSize: number;
  /** True if the address is a pooler in transaction mode. */
  readonly isPooled: boolean;
}

/**
 * Opens the ORM. Connections are opened when first needed.
 * @param options null for migrations, whose statements have no time limits
 */
export async function openOrm(
  address: DatabaseAddress,
  { entities, migrations }: DatabaseSchema,
  options: ConnectionOptions | null,
): Promise<MikroORM> {
  const connection =
    "url" in address
      ? { clientUrl: toSingleHostUrl(address.url).href }
      : {
          host: address.host,
          port: address.port ?? 5432,
          user: address.user ?? "postgres",
          password: address.password ?? "",
          dbName: address.dbName,
        };
  const ormOptions: Options = {
    ...connection,
    entities: entities ?? [],
    extensions: [Migrator],
    pool: { min: 0, max: options?.poolSize ?? 2 },
    // The ORM itself reads neither the TLS settings nor the socket's folder in a URL.
    driverOptions: {
      ...("url" in address ? toPoolConfig(address) : {}),
      ...(options ? buildLimits(options.isPooled) : {}),
    },
    dataloader: DataloaderType.ALL,
    forceUtcTimezone: true,
    migrations: { silent: true, migrationsList: migrations, snapshot: false, allOrNothing: true, transactional: true },
    ensureDatabase: false,
    // rate_limits belongs to rate-limiter-flexible and has no entity. The partitions of licence_events change every
    // month, so tests/platform/migrations compares its columns instead. Migrations create all functions and triggers.
    schemaGenerator: { skipTables: ["rate_limits", "licence_events"], ignoreRoutines: true, ignoreTriggers: true },
  };
  return MikroORM.init(ormOptions);
}

/** Returns the ORM's `pg` pool, for prepared statements on hot paths. */
export async function getPool(em: EntityManager): Promise<Pool> {
  return em.getConnection().getNativeClient();
}

/**
 * Runs a change in the transaction of `em`. If there is none, it runs in a new transaction with an empty unit of work,
 * which is flushed at its end. In an existing transaction, the changes are flushed by the caller, or at the latest when
 * it commits.
 */
export async function inTransaction<Result>(
  { em }: { readonly em: EntityManager },
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return em.isInTransaction() ? change(em) : em.fork().transactional(change);
}

/** Runs a change {@link inTransaction}. If another one stores the same unique value first, throws the error of `taken`. */
export async function inUniqueTransaction<Result>(
  context: { readonly em: EntityManager },
  taken: () => Error,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(context, change);
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException ? taken() : error;
  }
}

/**
 * Runs a request with a key {@link inTransaction}. If another request, whose lock this one doesn't wait for, stores the key
 * first, runs it again, so that it finds what the key recorded.
 */
export async function inKeyedTransaction<Result>(
  context: { readonly em: EntityManager },
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(context, change);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || context.em.isInTransaction()) throw error;
    return inTransaction(context, change);
  }
}

/** Runs a part of a transaction that can be rolled back separately if it fails. */
export function inSavepoint<Result>(em: EntityManager, part: (em: EntityManager) => Promise<Result>): Promise<Result> {
  return em.transactional(part);
}

/**
 * Runs one SQL statement with bound parameters (`$1`, …) in the transaction of `em`, or on the pool if `em` has none.
 * Times are returned as text, as from the pool, because the ORM converts them itself. Convert them with `new Date`.
 */
export async function query<Row extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await em.getKysely().executeQuery<Row>({
    sql: text,
    parameters: values,
    query: { kind: "RawNode" } as never,
    queryId: { queryId: "query" },
  });
  return result.rows;
}

/**
 * Runs a SQL statement as {@link query} does, and returns its first row.
 * @throws Error if there is none.
 */
export async function queryRow<Row extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row> {
  const [row] = await query<Row>(em, text, values);
  if (!row) throw new Error(`No row for: ${text.slice(0, 200)}`);
  return row;
}

/** Escapes text for a `like` pattern, so that its wildcards match only themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** Regular expressions of the signs that phones and word processors type in several forms. */
const forms: Readonly<Record<string, string>> = { "'": "['’‘]", "-": "[-‐‑–—−]" };

/**
 * Returns a regular expression for PostgreSQL, without regard to case, that matches texts with all terms of a search
 * (docs/domain.md#search); null without words.
 */
export function toSearchPattern(search: string | null | undefined): string | null {
  const parts = parseSearch(search ?? "").map(({ terms, number }) => {
    const all = terms.map((term) => `(?=.*${toTermPattern(term)})`).join("");
    return number === null ? all : `(?:${all}|(?=.*\\m${toNumberPattern(number)}))`;
  });
  return parts.length > 0 ? `^${parts.join("")}` : null;
}

function toTermPattern({ text, isWhole, number }: SearchTerm): string {
  const words = text.replace(/[^\p{L}\p{N}\s@]/gu, (sign) => forms[sign] ?? `\\${sign}`).replace(/\s+/g, "\\s+");
  return `\\m${number === null ? words : toNumberPattern(number)}${isWhole ? "\\M" : ""}`;
}

/** Digits match with any separators between them. */
const toNumberPattern = (digits: string) => digits.split("").join("[\\s.,()/+‐‑–—−-]*");

/** An ID before all others, for statements that read rows in the order of their IDs. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

interface Row {
  readonly id: string;
}

type RowOptions<Found, Hint extends string> = Omit<FindOneOptions<Found, Hint>, "using">;

/**
 * Returns a row by its id, or by its id and other columns.
 * @throws AppError NOT_FOUND if there is none, or the id is malformed
 */
export async function getRow<Found extends Row, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Found>,
  where: string | (FilterQuery<NoInfer<Found>> & Row),
  options: RowOptions<Found, Hint> = {},
): Promise<Found> {
  const id = typeof where === "string" ? where : where.id;
  const found = isUuid(id) ? await em.findOne<Found, Hint>(entity, where as never, options) : null;
  if (!found) throw notFound();
  return found as Found;
}

/** Locks a row until the transaction of `em` ends, and returns it like {@link getRow}. */
export function lockRow<Found extends Row, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Found>,
  where: string | (FilterQuery<NoInfer<Found>> & Row),
  options: RowOptions<Found, Hint> = {},
): Promise<Found> {
  return getRow(em, entity, where, { ...options, lockMode: LockMode.PESSIMISTIC_WRITE });
}
