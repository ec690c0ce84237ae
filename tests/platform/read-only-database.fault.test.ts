import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { databaseChecks } from "#api/app/doctor/database-checks.ts";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { toPoolConfig } from "#api/platform/database/database.ts";
import { createClock } from "#api/platform/clock.ts";
import { compareClockWithDatabase } from "#api/platform/database/database-clock.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTcpProxy } from "#tests/support/tcp-proxy.ts";
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
    expect(await createStateMetrics(app.services).metrics()).toContain("portal_database_up 0");
    expect((await runCommandOn(app, "doctor")).output).toContain("The database is read-only.");
  } finally {
    await setReadOnly(false);
  }
  await expect.poll(async () => (await app.rest("GET", "/health/database")).status).toBe(200);
});

test("a standby is reported as one, and isn't used if another server accepts writes", { timeout: 60_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "standby-"));
  const primary = await startEmbeddedPostgres({ dataDir, fsync: false });
  const admin = new pg.Client({ ...primary });
  await admin.connect();
  const { rows } = await admin.query<{ data_directory: string }>("show data_directory");
  await admin.query(`copy (select '') to '${rows[0]?.data_directory}/standby.signal'`);
  await admin.end();
  await primary.stop();
  const copyDir = mkdtempSync(join(tmpdir(), "copy-"));
  // Keeps the owner of the files, which PostgreSQL checks.
  execFileSync("cp", ["-a", `${dataDir}/.`, copyDir]);
  rmSync(join(copyDir, "cluster/standby.signal"));
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
    const copy = await startEmbeddedPostgres({ dataDir: copyDir, fsync: false });
    try {
      await expectOther(standby, copy);
    } finally {
      await copy.stop();
    }
  } finally {
    await standbyPool.end();
    await standby.stop();
    for (const folder of [dataDir, copyDir]) rmSync(folder, { recursive: true });
  }
});

/** Expects that a pool with a standby and another server uses the other one, also while the standby hangs. */
async function expectOther(standby: EmbeddedPostgres, other: EmbeddedPostgres): Promise<void> {
  const start = ({ host, port }: EmbeddedPostgres) => startTcpProxy({ path: `${host}/.s.PGSQL.${port}` });
  const [first, second] = await Promise.all([start(standby), start(other)]);
  const { user, password } = other;
  const url = `postgres://${user}:${password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/postgres?target_session_attrs=read-write`;
  const chosen = new pg.Pool(toPoolConfig({ url }));
  chosen.on("error", () => {});
  const isReadOnly = async () => (await chosen.query("show transaction_read_only")).rows[0]?.transaction_read_only;
  try {
    expect(await isReadOnly()).toBe("off");
    first.set("hang");
    second.set("refuse");
    await expect(isReadOnly()).rejects.toThrow();
    second.set("pass");
    await expect.poll(() => isReadOnly().catch(() => null)).toBe("off");
  } finally {
    await chosen.end();
    await Promise.all([first.close(), second.close()]);
  }
}
