import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { createMovableClock, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { createTestConfig } from "./test-config.ts";
import { withClient } from "./with-client.ts";

/** PostgreSQL server of a test run, with a migrated database that every test file copies. */
export interface TestCluster {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly template: string;
  /** The role of the application. */
  readonly role: string;
}

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
    /** Folder of the programs that `buildPrograms` builds when the first test needs them. */
    programs: string;
  }
}

const template = "portal_template";
const role = "portal";

/** No replica follows the test run's server, and its databases live for seconds. */
const settings = {
  wal_level: "minimal",
  max_wal_senders: 0,
  autovacuum: "off",
  checkpoint_timeout: "1h",
  synchronous_commit: "off",
  io_method: "sync",
};

/** What the migrated database follows from. */
const sources = [
  "api/{migrations,audit/chain,platform/{database,embedded,jobs}}/*.ts",
  "api/app/database.ts",
  "api/licensing/licences/maintain-event-partitions.ts",
  "api/dev/payment-simulator/storage.ts",
  "tests/support/global-setup.ts",
  "package-lock.json",
];

const clusters = join(".cache", "test-clusters");

/** Starts PostgreSQL for the test run in a temporary folder. Vitest calls the returned function after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-test-"));
  const migrated = join(clusters, calculateKey());
  if (existsSync(migrated)) copyFolder(migrated, join(dataDir, "cluster"));
  let postgres = await start(dataDir);
  if (!existsSync(migrated)) {
    await createTemplate(postgres);
    // A copy of a running server's files is incomplete.
    await postgres.stop();
    keep(join(dataDir, "cluster"), migrated);
    postgres = await start(dataDir);
  }
  const { host, port, user, password } = postgres;
  project.provide("cluster", { host, port, user, password, template, role });
  // Inside the repository, because the programs load packages.
  const programs = join(".cache", `programs-${randomUUID()}`);
  project.provide("programs", programs);
  return async () => {
    await postgres.stop();
    for (const folder of [dataDir, programs]) rmSync(folder, { recursive: true, force: true });
  };
}

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, maxConnections: 200, fsync: false, settings });

async function createTemplate({ host, port, user, password, database }: EmbeddedPostgres): Promise<void> {
  // Loaded only here, because loading the api takes as long as the migrations.
  const { migrate, openDatabase } = await import("#api/app/database.ts");
  const { openStorage } = await import("#api/dev/payment-simulator/storage.ts");
  await withClient({ host, port, user, password, database }, (admin) => admin.query(`create database ${template}`));
  const owner = { host, port, user, password, dbName: template };
  await migrate({ ...owner, user: role, owner });
  const simulator = openStorage({ ...owner, user: role });
  await simulator.runInTransaction(async () => {});
  await simulator.close();
  const orm = await openDatabase({ ...owner, user: role });
  await createPartitions(orm.em.fork() as EntityManager);
  await orm.close(true);
}

/** Creates the months that sweeps create, also after a renewal, because a file that changes the tables costs a new copy. */
async function createPartitions(em: EntityManager): Promise<void> {
  const { getPool } = await import("#api/platform/database/database.ts");
  const { maintainEventPartitions } = await import("#api/licensing/licences/maintain-event-partitions.ts");
  const given = { em, pool: await getPool(em), config: createTestConfig(""), log: pino({ level: "silent" }) };
  for (const days of [0, 31]) {
    const context = { ...given, clock: createMovableClock(days * DAY) } as unknown as Context;
    while ((await maintainEventPartitions.run(context)) > 0);
  }
}

/** Returns a text that changes with the migrations, and daily, because partitions are created for months. */
function calculateKey(): string {
  const hash = createHash("sha256").update(
    `${process.platform} ${process.arch} ${new Date().toISOString().slice(0, 10)}`,
  );
  for (const file of globSync(sources).toSorted()) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 20);
}

/** Keeps the files of a stopped server for later test runs, instead of those of earlier migrations. */
function keep(cluster: string, migrated: string): void {
  rmSync(clusters, { recursive: true, force: true });
  mkdirSync(clusters, { recursive: true });
  const unfinished = `${migrated}-${randomUUID()}`;
  copyFolder(cluster, unfinished);
  try {
    renameSync(unfinished, migrated);
  } catch {
    // Another test run was faster.
  }
}

/** Copies the files with their owner, who isn't root even if root runs the tests. */
function copyFolder(from: string, to: string): void {
  if (process.platform === "win32") cpSync(from, to, { recursive: true });
  else execFileSync("cp", ["-a", from, to]);
}
