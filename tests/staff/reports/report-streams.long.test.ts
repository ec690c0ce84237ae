import { expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool, reportPool } = app.services;
const admin = await signInAs(app, await createAdmin(app));
const licence = await createLicence(app, await createUser(app));
const ROWS = 20_000;
await pool.query(
  `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name)
   select $2::timestamptz - n * interval '1 second', now(), 'validate', 1, $1, md5(n::text) || md5('a' || n) || md5('b' || n) from generate_series(1, ${ROWS}) n`,
  [licence.id, addMilliseconds(app.clock.now(), -DAY)],
);

async function open(format: "csv" | "xlsx", headers: Record<string, string> = {}) {
  const abortController = new AbortController();
  const response = await fetch(`${app.url}/v1/reports/download-report`, {
    method: "POST",
    signal: abortController.signal,
    headers: { "content-type": "application/json", authorization: `Bearer ${admin}`, ...headers },
    body: JSON.stringify({ reportType: 6, startDate: "2000-01-01", endDate: "2099-12-31", format }),
  });
  const reader = response.body?.getReader();
  const readAll = async () => {
    const parts: Uint8Array[] = [];
    for (;;) {
      const part = await reader?.read();
      if (!part?.value) return Buffer.concat(parts);
      parts.push(part.value);
    }
  };
  return { response, abortController, reader, readAll };
}

const countActiveQueries = async () =>
  (
    await pool.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name = 'reports' and state <> 'idle' and datname = current_database()",
    )
  ).rows[0]?.n;
const countTakenConnections = () => reportPool.totalCount - reportPool.idleCount;

const limit = { timeout: 60_000 };
test.each(["csv", "xlsx"] as const)("stops the query when the client disconnects: %s", limit, async (format) => {
  const { reader, abortController } = await open(format);
  await reader?.read();
  abortController.abort();
  await expect.poll(countActiveQueries).toBe(0);
  await expect.poll(countTakenConnections).toBe(0);
  const complete = await (await open(format)).readAll();
  if (format === "csv") expect(complete.toString().split("\n")).toHaveLength(ROWS + 2);
  else expect(readWorkbook(complete).rows).toHaveLength(ROWS + 1);
});

test.each(["csv", "xlsx"] as const)("aborts the file when the database connection is lost: %s", async (format) => {
  const { reader, readAll } = await open(format);
  await reader?.read();
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reports' and datname = current_database()",
  );
  await expect(readAll()).rejects.toThrow();
  await expect.poll(countTakenConnections).toBe(0);
});

test("generates two reports at the same time and makes a third one wait", async () => {
  const [one, two] = [await open("csv"), await open("xlsx")];
  await one.reader?.read();
  await two.reader?.read();
  let hasStarted = false;
  const third = open("csv").then((opened) => {
    hasStarted = true;
    return opened;
  });
  await expect.poll(() => reportPool.waitingCount).toBe(1);
  expect(hasStarted).toBe(false);
  await one.readAll();
  const { response, readAll } = await third;
  expect(response.status).toBe(200);
  expect((await readAll()).toString().split("\n")).toHaveLength(ROWS + 2);
  await two.readAll();
  await expect.poll(countTakenConnections).toBe(0);
}, 60_000);

test("sends the first byte before the first row is found", async () => {
  const lock = await pool.connect();
  try {
    await lock.query("begin");
    await lock.query("lock table licences in access exclusive mode");
    const { reader, abortController } = await open("csv", { "accept-encoding": "identity" });
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^\uFEFFDate \(Brisbane time\),Last date \(Brisbane time\),/);
    abortController.abort();
  } finally {
    await lock.query("rollback");
    lock.release();
  }
  await expect.poll(countTakenConnections).toBe(0);
});
