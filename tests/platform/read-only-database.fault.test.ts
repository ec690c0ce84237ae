import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { databaseChecks } from "#api/app/commands/doctor-checks.ts";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { createClock } from "#api/platform/clock.ts";
import { compareClockWithDatabase } from "#api/platform/database/database-clock.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;

/** Makes new connections read-only or not, and closes the open ones. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = await pool.connect();
  const { rows } = await client.query<{ name: string }>("select current_database() as name");
  await client.query("begin read write");
  await client.query(
    `alter database "${rows[0]?.name}" ${isReadOnly ? "set default_transaction_read_only = on" : "reset default_transaction_read_only"}`,
  );
  await client.query("commit");
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  client.release(true);
}

test("a database that accepts no writes is reported by its health, the metric and doctor", {
  timeout: 60_000,
}, async () => {
  await setReadOnly(true);
  try {
    await expect
      .poll(async () => (await app.rest("GET", "/health/database")).json)
      .toEqual({ status: "database read-only" });
    expect((await app.rest("GET", "/health/database")).status).toBe(503);
    const metrics = createStateMetrics(app.services);
    await metrics.refresh();
    expect(await metrics.registry.metrics()).toContain("portal_database_up 0");
    expect((await runCommandOn(app, "doctor")).output).toContain("The database is read-only.");
  } finally {
    await setReadOnly(false);
  }
  await expect.poll(async () => (await app.rest("GET", "/health/database")).status).toBe(200);
});

test("a standby is reported as one", { timeout: 60_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "standby-"));
  const primary = await startEmbeddedPostgres({ dataDir, fsync: false });
  const admin = new pg.Client({ ...primary });
  await admin.connect();
  const { rows } = await admin.query<{ data_directory: string }>("show data_directory");
  await admin.query(`copy (select '') to '${rows[0]?.data_directory}/standby.signal'`);
  await admin.end();
  await primary.stop();
  const standby = await startEmbeddedPostgres({ dataDir, fsync: false });
  const standbyPool = new pg.Pool({ ...standby, max: 1 });
  try {
    expect((await compareClockWithDatabase({ clock: createClock(), pool: standbyPool })).isReadOnly).toBe(true);
    const client = await standbyPool.connect();
    expect(await databaseChecks["writes"]?.(client as never, app.services.config)).toMatchObject({
      state: "failed",
      message: "DATABASE_URL leads to a standby.",
    });
    client.release(true);
  } finally {
    await standbyPool.end();
    await standby.stop();
    rmSync(dataDir, { recursive: true });
  }
});
