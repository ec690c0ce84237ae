import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { migrate } from "#api/app/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { startServerProcess, waitUntilDatabaseResponds } from "#tests/support/server-process.ts";
import { insertUserSql } from "#tests/support/test-database.ts";

const licence = { id: randomUUID(), code: generateLicenceCode() };
// The database starts with a licensed user, because a server fills an empty database with demo data. Half of the kills
// would happen before that is finished.
const server = await startServerProcess({}, async (dataDir) => {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, "postgres") });
  const { host, port, user, password, database } = postgres;
  await migrate({ host, port, user, password, dbName: database });
  await sqlOn(postgres, insertUserSql);
  await sqlOn(
    postgres,
    `insert into licences (id, user_id, licence_code, support_code, product_level, number_of_machines, expires_at, created_at)
     select $1, id, $2, 'KILLED', 2, 1000000, now() + interval '1 year', now() from users`,
    [licence.id, licence.code],
  );
  await postgres.stop();
});
afterAll(() => server.remove());

/** Reads the process id, port and socket folder from the fixed lines of PostgreSQL's postmaster.pid. */
function readPostmaster() {
  const file = readdirSync(server.dataDir, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith("postmaster.pid"),
  );
  const lines = readFileSync(join(server.dataDir, file ?? ""), "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]), host: lines[4] ?? "" };
}

async function sqlOn<Row extends object>(
  { host, port }: { host: string; port: number },
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ host, port, user: "postgres", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<Row>(text, values);
  await client.end();
  return rows;
}

/** Runs a statement directly in PostgreSQL. Retries for at most 10 s while PostgreSQL restarts. */
async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  for (const startedAt = performance.now(); ; await sleep(50)) {
    try {
      return await sqlOn<Row>(readPostmaster(), text, values);
    } catch (error) {
      if (performance.now() - startedAt > 10_000) throw error;
    }
  }
}

test("loses no acknowledged activation when PostgreSQL and the server are killed 6 times under load", async () => {
  const acknowledged = new Set<string>();
  let isRunning = true;
  let count = 0;
  const client = { clientTimeUtc: "2026-01-01T00:00:00Z", addInVersion: "4.2.0", hostVersion: "16.0" };
  const activate = async () => {
    while (isRunning) {
      const name = `KILL-${count++}`;
      const machine = { machineName: name, fingerprint: `fingerprint-of-${name}`, isVm: false };
      const answer = await fetch(`${server.url}/v1/licence/activate`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ licenceCode: licence.code, nonce: `nonce-of-${name}`, ...client, machine }),
      })
        .then((response) => (response.ok ? (response.json() as Promise<{ data: { machine?: { id: string } } }>) : null))
        .catch(() => null);
      if (answer?.data.machine) acknowledged.add(answer.data.machine.id);
      else await sleep(20);
    }
  };

  for (let round = 0; round < 6; round++) {
    isRunning = true;
    const workers = Array.from({ length: 8 }, activate);
    const before = acknowledged.size;
    while (acknowledged.size < before + 40) await sleep(10);
    if (round % 2 === 0) process.kill(readPostmaster().pid, "SIGKILL");
    else {
      await server.kill();
      await server.start();
    }
    await waitUntilDatabaseResponds(server.url, 10_000);
    isRunning = false;
    await Promise.all(workers);
    const rows = await sql<{ id: string }>("select id from devices where licence_id = $1", [licence.id]);
    const stored = new Set(rows.map((row) => row.id));
    const lost = [...acknowledged].filter((id) => !stored.has(id));
    expect(lost, `round ${round}`).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(240);
}, 240_000);
