import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#api/app/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";

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

/** No replica follows the test run's server, and its databases live for seconds. */
const settings = { wal_level: "minimal", max_wal_senders: 0, autovacuum: "off", checkpoint_timeout: "1h" };

/** Starts PostgreSQL for the test run in a temporary folder. Vitest calls the returned function after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir, maxConnections: 200, fsync: false, settings });
  const { host, port, user, password } = postgres;
  const template = "portal_template";
  const admin = new pg.Client({ host, port, user, password, database: postgres.database });
  await admin.connect();
  await admin.query(`create database ${template}`);
  await admin.end();
  const role = "portal";
  const owner = { host, port, user, password, dbName: template };
  await migrate({ ...owner, user: role, owner });
  project.provide("cluster", { host, port, user, password, template, role });
  // Inside the repository, because the programs load packages.
  const programs = join(".cache", `programs-${randomUUID()}`);
  project.provide("programs", programs);
  return async () => {
    await postgres.stop();
    for (const folder of [dataDir, programs]) rmSync(folder, { recursive: true, force: true });
  };
}
