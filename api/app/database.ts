import { join } from "node:path";
import { type EntityClass, MetadataStorage } from "@mikro-orm/core";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import { formatCount } from "#schema/numbers.ts";
import { migrations } from "#api/migrations/index.ts";
import type { Config } from "#api/platform/config.ts";
import { type DatabaseAddress, openOrm } from "#api/platform/database/database.ts";
import { separateRoles, type OwnedObjects } from "#api/platform/database/separate-roles.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { unprocessable } from "#api/platform/errors.ts";
import { DEFAULT_POOL_SIZE } from "#api/platform/operations-settings.ts";
import {
  listPendingMigrations,
  type MigrationReport,
  type MigrationStatus,
  migrateSchema,
  readMigrationStatus,
} from "#api/platform/database/migrate.ts";
import { withClient } from "#api/app/commands/connect.ts";
import * as entityFiles from "./entities.ts";

/**
 * Evidence and accounts: tables of which the application's role may only read and add rows, and the functions that erase,
 * purge and protect them (decision 0205).
 */
export const ownedObjects: OwnedObjects = {
  tables: ["audit_entries", "security_events", "audit_links", "journal_entries"],
  functions: [
    "queue_unsealed_entry",
    "refuse_change",
    "protect_audit_entry",
    "protect_security_event",
    "is_erased_user",
    "seal_earlier_entry",
    "erase_audit_subject",
    "erase_audit_actor",
    "erase_security_events",
    "purge_security_events",
    "journal_entries_journal_entries_stay_as_recorded_fn",
  ],
};

/** The entities that the files of `entities.ts` export. */
export const entities = Object.values(entityFiles).filter(
  (exported) => typeof exported === "function" && MetadataStorage.isKnownEntity(exported.name),
) as EntityClass[];

const schema = { entities, migrations, owned: ownedObjects };

/** Role of the application in the embedded database, whose superuser owns the audit tables. */
const EMBEDDED_ROLE = "portal";

/** Returns the address of a configured database, or null if the embedded one is used. */
export function getConfiguredAddress({
  databaseUrl,
  operations,
}: Pick<Config, "databaseUrl"> & { readonly operations?: Config["operations"] }): DatabaseAddress | null {
  if (!databaseUrl) return null;
  const ownerUrl = operations?.ownerUrl;
  return { url: databaseUrl, ...(ownerUrl ? { owner: { url: ownerUrl } } : {}) };
}

/** Returns the address of the embedded database for the application's role, which it creates on the first start. */
export async function getEmbeddedAddress(embedded: EmbeddedPostgres): Promise<DatabaseAddress> {
  const { host, port, user, password, database: dbName } = embedded;
  const owner = { host, port, user, password, dbName };
  // The payment simulator uses the database before the migrations.
  await withClient(owner, (client) => separateRoles(client, { name: EMBEDDED_ROLE, password }, ownedObjects));
  return { ...owner, user: EMBEDDED_ROLE, owner };
}

/**
 * Returns the maximum number of connections of an embedded database that processes share. Besides those for requests, each
 * opens 2 for reports and 4 of the payment simulator. 34 are for commands, migrations and superusers.
 */
export function countEmbeddedConnections({ operations }: Pick<Config, "operations">, processes: number): number {
  return processes * (operations.poolSize + 6) + 34;
}

/** Starts the embedded database, which `processes` processes share. */
export function startEmbedded(config: Config, log: Logger, processes: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: join(config.dataDir, "postgres"),
    maxConnections: countEmbeddedConnections(config, processes),
    log: (message) => log.warn(message),
  });
}

/** Opens the product's database. Connections are opened when first needed. */
export async function openDatabase(
  address: DatabaseAddress,
  poolSize = DEFAULT_POOL_SIZE,
  isPooled = false,
): Promise<MikroORM> {
  return openOrm(address, schema, { poolSize, isPooled });
}

/**
 * Migrates the product's database to the newest schema. Several processes may call it at the same time.
 * @param address a connection in session mode
 */
export async function migrate(address: DatabaseAddress, report?: MigrationReport): Promise<void> {
  await migrateSchema(address, schema, report);
}

/** Returns the address in session mode, because a pooler in transaction mode doesn't support advisory locks and settings. */
export function getDirectAddress(
  { operations }: Pick<Config, "operations">,
  address: DatabaseAddress,
): DatabaseAddress {
  const { owner } = address;
  return operations.directUrl ? { url: operations.directUrl, ...(owner ? { owner } : {}) } : address;
}

/**
 * Brings the schema up to date before a process uses it. With `MIGRATE=manual`, only checks it.
 * @throws AppError that names the command if the schema is behind
 */
export async function prepareSchema(
  config: Pick<Config, "operations">,
  address: DatabaseAddress,
  report?: MigrationReport,
): Promise<void> {
  const direct = getDirectAddress(config, address);
  await (config.operations.migratesManually ? requireMigrated(direct) : migrate(direct, report));
}

/** Returns the applied and pending migrations of the product's database. */
export function getMigrationStatus(address: DatabaseAddress): Promise<MigrationStatus> {
  return readMigrationStatus(address, schema);
}

async function requireMigrated(address: DatabaseAddress): Promise<void> {
  const pending = await listPendingMigrations(address, schema);
  if (pending.length === 0) return;
  throw unprocessable(
    `The database lacks ${formatCount(pending.length, "migration")}, the first is ${pending[0]}. Run \`node dist/server/server.js migrate\` (in a checkout: \`npm run portal -- migrate\`), then start again.`,
  );
}
