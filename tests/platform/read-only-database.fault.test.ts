import { expect, test } from "vitest";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();
const pool = openOwnerPool(app.database);

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
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename <> current_user",
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
