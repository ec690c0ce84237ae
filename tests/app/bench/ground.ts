import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "#api/app/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";

/** Bytes that full scale needs, with room for what the rounds write. */
const FULL_SCALE_BYTES = 8e9;
const MEMORY = "/dev/shm";
const MIGRATED = "migrated";

/**
 * PostgreSQL's settings, the same in every run and for every contender. Commits are durable as in production
 * (fsync and synchronous_commit on). Vacuums and checkpoints would fall into one contender's round and not into
 * another's, so they happen before the rounds and not in them.
 */
const settings: Record<string, string> = {
  shared_preload_libraries: "pg_stat_statements",
  shared_buffers: "512MB",
  maintenance_work_mem: "256MB",
  max_wal_size: "6GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
  jit: "off",
  random_page_cost: "1.1",
};

/** A PostgreSQL of the bench's own and the folder of everything that it writes. */
export interface Ground {
  readonly folder: string;
  /** Where the data lie, for the report. */
  readonly place: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Address for `DATABASE_URL`. */
  url(database: string): string;
  /** A connection that is closed with the ground. */
  connect(database: string): Promise<pg.Client>;
  /** Makes a database, empty or as a copy; nobody may be connected to the one that is copied. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Makes a database with the product's tables, all of them empty. */
  createMigratedDatabase(name: string): Promise<void>;
  remove(): Promise<void>;
}

/** Starts the bench's PostgreSQL: in memory where there is room for it, unless the disk was asked for. */
export async function prepareGround({ scale, disk }: { scale: number; disk: boolean }): Promise<Ground> {
  const inMemory = !disk && hasRoom(scale);
  const folder = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), "portal-bench-"));
  // As root, PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, "postgres");
  const start = () => startEmbeddedPostgres({ dataDir, maxConnections: 200 });

  let postgres = await start();
  const first = new pg.Client({ ...postgres, database: postgres.database });
  await first.connect();
  for (const [name, value] of Object.entries(settings)) await first.query(`alter system set ${name} = '${value}'`);
  await first.end();
  await postgres.stop();
  postgres = await start();

  const { host, port, user, password } = postgres;
  const clients: pg.Client[] = [];
  const connect = async (database: string) => {
    const client = new pg.Client({ host, port, user, password, database });
    client.on("error", () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const createDatabase = async (name: string, template = "template0") => {
    const client = await connect("postgres");
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    const own = await connect(name);
    await own.query("create extension if not exists pg_stat_statements");
    // A connection left open would keep the database from being copied.
    await own.end();
  };
  let migrated: Promise<void> | undefined;
  const makeMigrated = async () => {
    await createDatabase(MIGRATED);
    await migrate({ host, port, user, password, dbName: MIGRATED });
  };
  return {
    folder,
    place: inMemory ? `memory (${MEMORY})` : `disk (${tmpdir()})`,
    host,
    port,
    user,
    password,
    url: (database) => `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`,
    connect,
    createDatabase,
    createMigratedDatabase: async (name) => {
      await (migrated ??= makeMigrated());
      await createDatabase(name, MIGRATED);
    },
    remove: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes an empty folder for one part of the bench. */
export function folderFor(ground: Ground, name: string): string {
  const folder = join(ground.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function hasRoom(scale: number): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > Math.max(1e9, FULL_SCALE_BYTES * scale);
}
