import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startServerProcess, untilReady } from "#tests/support/server-process.ts";

const server = await startServerProcess();
afterAll(() => server.remove());

/** What PostgreSQL says of itself in its folder: process, port and socket folder stand on fixed lines. */
function postmaster() {
  const file = readdirSync(server.dataDir, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith("postmaster.pid"),
  );
  const lines = readFileSync(join(server.dataDir, file ?? ""), "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]), host: lines[4] ?? "" };
}

/** Asks PostgreSQL itself; a killed one is asked again until its successor answers, at most 10 s. */
async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  for (const startedAt = performance.now(); ; await sleep(50)) {
    try {
      const { host, port } = postmaster();
      const client = new pg.Client({ host, port, user: "postgres", database: "postgres" });
      client.on("error", () => {});
      await client.connect();
      const { rows } = await client.query<Row>(text, values);
      await client.end();
      return rows;
    } catch (error) {
      if (performance.now() - startedAt > 10_000) throw error;
    }
  }
}

test("10 kills of PostgreSQL and of the server under load lose no acknowledged activation", async () => {
  const [licence] = await sql<{ id: string; licence_code: string }>(
    `update licences set number_of_machines = 1000000
      where user_id = (select id from users where sign_in_email = 'corporate@demo.test') returning id, licence_code`,
  );
  if (!licence) throw new Error("the demo data has no corporate licence");

  const acknowledged = new Set<string>();
  let going = true;
  let count = 0;
  const activate = async () => {
    while (going) {
      const name = `KILL-${count++}`;
      const answer = await fetch(`${server.url}/v1/licence/activate`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          licenceCode: licence.licence_code,
          nonce: `nonce-of-${name}`,
          clientTimeUtc: "2026-01-01T00:00:00Z",
          addInVersion: "4.2.0",
          hostVersion: "16.0",
          machine: { machineName: name, fingerprint: `fingerprint-of-${name}`, isVm: false },
        }),
      })
        .then((response) => (response.ok ? (response.json() as Promise<{ data: { machine?: { id: string } } }>) : null))
        .catch(() => null);
      if (answer?.data.machine) acknowledged.add(answer.data.machine.id);
      else await sleep(20);
    }
  };

  for (let round = 0; round < 10; round++) {
    going = true;
    const workers = Array.from({ length: 8 }, activate);
    const before = acknowledged.size;
    while (acknowledged.size < before + 40) await sleep(10);
    if (round % 2 === 0) process.kill(postmaster().pid, "SIGKILL");
    else {
      await server.kill();
      await server.start();
    }
    await untilReady(server.url, 10_000);
    going = false;
    await Promise.all(workers);
    const rows = await sql<{ id: string }>("select id from devices where licence_id = $1", [licence.id]);
    const stored = new Set(rows.map((row) => row.id));
    expect(
      [...acknowledged].filter((id) => !stored.has(id)),
      `round ${round}`,
    ).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(400);
}, 240_000);
