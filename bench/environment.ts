import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "#api/app/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";

/** Space needed at full scale, including the data that the rounds write, in bytes. */
const FULL_SCALE_BYTES = 8e9;
const MEMORY = "/dev/shm";
const MIGRATED = "migrated";

/**
 * PostgreSQL settings, the same for every run and contender. Commits are durable as in production (fsync and
 * synchronous_commit are on). Vacuums and checkpoints run between the rounds, so that they don't slow a single contender.
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

/** The benchmark's own PostgreSQL and the folder for all files it writes. */
export interface BenchEnvironment {
  readonly folder: string;
  /** Location of the data, for the report. */
  readonly location: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Returns the value of `DATABASE_URL` for a database. */
  getUrl(database: string): string;
  /** Opens a connection that closes when the environment is removed. */
  connect(database: string): Promise<pg.Client>;
  /** Creates an empty database, or a copy of `template`, which must have no open connections. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Creates a database with the product's empty tables. */
  createMigratedDatabase(name: string): Promise<void>;
  remove(): Promise<void>;
}

/** Starts the benchmark's PostgreSQL, in memory if there is enough room and `disk` is false. */
export async function prepareEnvironment({ scale, disk }: { scale: number; disk: boolean }): Promise<BenchEnvironment> {
  const inMemory = !disk && hasRoom(scale);
  const folder = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), "portal-bench-"));
  // As root, PostgreSQL runs as another user, who needs access to the folder.
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
    const ownClient = await connect(name);
    await ownClient.query("create extension if not exists pg_stat_statements");
    // An open connection would prevent copying the database.
    await ownClient.end();
  };
  let migrated: Promise<void> | undefined;
  const createMigrated = async () => {
    await createDatabase(MIGRATED);
    await migrate({ host, port, user, password, dbName: MIGRATED });
  };
  return {
    folder,
    location: inMemory ? `memory (${MEMORY})` : `disk (${tmpdir()})`,
    host,
    port,
    user,
    password,
    getUrl: (database) => `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`,
    connect,
    createDatabase,
    createMigratedDatabase: async (name) => {
      await (migrated ??= createMigrated());
      await createDatabase(name, MIGRATED);
    },
    remove: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty folder for a part of the benchmark. */
export function folderFor(ground: BenchEnvironment, name: string): string {
  const folder = join(ground.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function hasRoom(scale: number): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > Math.max(1e9, FULL_SCALE_BYTES * scale);
}
