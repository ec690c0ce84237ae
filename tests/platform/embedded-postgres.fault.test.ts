import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { readPostmaster } from "#api/platform/embedded/process.ts";
import { isAlive } from "#tests/support/processes.ts";
import { buildPrograms } from "#tests/support/programs.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const isRoot = process.getuid?.() === 0;
const holderScript = join(await buildPrograms(), "keep-embedded-postgres.js");

let home: string;
let dataDir: string;
/** Data folder of a stopped PostgreSQL. Creating a new one takes a second. */
const prepared = createTemporaryFolder("embedded-postgres-prepared-");

beforeAll(async () => (await startEmbeddedPostgres({ dataDir: prepared, fsync: false })).stop());

/** Copies the prepared data folder for tests that don't test its creation. */
const useExistingData = () => execFileSync("cp", ["-a", prepared, dataDir]);
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "embedded-postgres-"));
  dataDir = join(home, "postgres");
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  // PostgreSQL may still be writing files after its process was killed.
  await eventually(() => expect(findProcesses(home)).toEqual([]));
  rmSync(home, { recursive: true, force: true });
});

/** Starts PostgreSQL, by default without fsync, which only matters for power cuts. */
async function start(log?: (message: string) => void, fsync = false): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, fsync, ...(log ? { log } : {}) });
  cleanups.push(() => database.stop());
  return database;
}

interface Held {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly error?: string;
}

async function hold(...through: string[]): Promise<Held> {
  const node = [process.execPath, holderScript, dataDir];
  const [command, ...args] = [...through, ...node] as [string, ...string[]];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  cleanups.push(() => child.kill("SIGKILL"));
  const line = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve(text);
    });
    child.on("close", () => resolve(text));
  });
  return { child, ...(JSON.parse(line) as Omit<Held, "child">) };
}

async function query<T extends object>(where: { host: string; port: number }, text: string): Promise<T[]> {
  const client = new pg.Client({ host: where.host, port: where.port, user: "postgres", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 6_000, interval: 20 });

function findProcesses(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

const cluster = (): string => join(dataDir, "cluster");

test("creates a database in an empty folder and keeps its rows after a restart", async () => {
  const first = await start(undefined, true);
  expect(
    await query(
      first,
      "select lower('ÉÖ') as low, pg_encoding_to_char(encoding) as enc from pg_database where datname = 'postgres'",
    ),
  ).toEqual([{ low: "éö", enc: "UTF8" }]);
  expect(
    await query(first, "select current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp"),
  ).toEqual([{ fsync: "on", tcp: "" }]);
  expect(statSync(first.host).mode & 0o777).toBe(0o700);
  await query(first, "create table kept (id int); insert into kept values (1)");
  const began = performance.now();
  const stops = [first.stop(), first.stop()];
  expect(stops[0]).toBe(stops[1]);
  await Promise.all(stops);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(readPostmaster(cluster())).toBeNull();

  const second = await start();
  expect(await query(second, "select id from kept")).toEqual([{ id: 1 }]);
});

test.runIf(isRoot)("starts inside a folder that only root can enter", async () => {
  chmodSync(home, 0o700);
  const database = await start();
  await query(database, "create table kept (id int); checkpoint");
  const { pid } = readPostmaster(cluster()) ?? { pid: 0 };
  expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
  expect(existsSync(join(dataDir, "moved-to"))).toBe(false);
});

test.runIf(isRoot)("stores the data in a private folder if root can't pass on capabilities", async () => {
  chmodSync(home, 0o700);
  // Some containers lack CAP_SETPCAP, without which capabilities can't be passed on.
  const weakened = ["setpriv", "--bounding-set=-setpcap"];
  const held = await hold(...weakened);
  const refuge = readFileSync(join(dataDir, "moved-to"), "utf8").trim();
  cleanups.push(() => rmSync(refuge, { recursive: true, force: true }));
  await query(held, "create table kept (id int)");
  held.child.kill("SIGTERM");
  await eventually(() => expect(isAlive(held.pid)).toBe(false));
  const again = await hold(...weakened);
  expect(await query(again, "select count(*)::int as n from kept")).toEqual([{ n: 0 }]);
  again.child.kill("SIGTERM");
  await eventually(() => expect(findProcesses(refuge)).toEqual([]));
});

test("supports a data folder with a path too long for a socket, and removes the socket's folder", async () => {
  dataDir = join(home, "x".repeat(60), 'y, "z" \'ß'.repeat(8), "postgres");
  mkdirSync(dataDir, { recursive: true });
  const database = await start();
  expect(await query(database, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(Buffer.byteLength(database.host)).toBeLessThan(90);
  await database.stop();
  expect(existsSync(database.host)).toBe(false);
});

test("stops PostgreSQL after kill -9 of the process that started it, and keeps all committed rows", async () => {
  useExistingData();
  const held = await hold();
  await query(held, "create table kept (id int); insert into kept values (7)");
  held.child.kill("SIGKILL");
  await eventually(() => expect(findProcesses(dataDir)).toEqual([]));
  const database = await start();
  expect(await query(database, "select id from kept")).toEqual([{ id: 7 }]);
});

test("waits for the old PostgreSQL to exit when started right after kill -9", async () => {
  useExistingData();
  for (let round = 0; round < 4; round++) {
    const held = await hold();
    await query(held, "create table if not exists kept (id int); insert into kept values (1)");
    held.child.kill("SIGKILL");
    const database = await startEmbeddedPostgres({ dataDir, fsync: false });
    expect(await query(database, "select count(*)::int as n from kept")).toEqual([{ n: round + 1 }]);
    await database.stop();
  }
});

test("stops an orphaned PostgreSQL at the next start", async () => {
  useExistingData();
  const held = await hold();
  const orphan = readPostmaster(cluster())?.pid ?? 0;
  const keepers = findProcesses(dataDir).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/bin/sh"),
  );
  expect(keepers.length).toBeGreaterThan(0);
  for (const pid of keepers) process.kill(pid, "SIGKILL");
  held.child.kill("SIGKILL");
  const database = await start();
  expect(isAlive(orphan)).toBe(false);
  expect(await query(database, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("rejects a second process on the same data and names the first one", async () => {
  useExistingData();
  const held = await hold();
  expect((await hold()).error).toBe(
    `The data in ${dataDir} is in use by process ${held.pid}. Stop that process first, or set DATA_DIR to another folder.`,
  );
  expect(await query(held, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("lets only one of two processes start on the same empty folder", async () => {
  mkdirSync(dataDir);
  const both = await Promise.all([hold(), hold()]);
  expect(both.filter((one) => one.error === undefined)).toHaveLength(1);
  expect(both.find((one) => one.error !== undefined)?.error).toMatch(/^The data in .* is in use by process \d+\./);
});

test("restarts a killed PostgreSQL with all committed rows", async () => {
  useExistingData();
  const messages: string[] = [];
  const database = await start((message) => messages.push(message));
  let ends = 0;
  database.onExit(() => ends++);
  await query(database, "create table kept (id int)");
  for (let round = 1; round <= 3; round++) {
    await query(database, `insert into kept values (${round})`);
    process.kill(readPostmaster(cluster())?.pid ?? 0, "SIGKILL");
    await eventually(() => expect(ends).toBe(round));
    await eventually(() => query(database, "select 1"));
    expect(await query(database, "select count(*)::int as n from kept")).toEqual([{ n: round }]);
  }
  expect(messages).toContain("PostgreSQL is running again.");
});

test("stays stopped when stopped during a restart", async () => {
  useExistingData();
  const database = await start();
  process.kill(readPostmaster(cluster())?.pid ?? 0, "SIGKILL");
  await sleep(30);
  await database.stop();
  await sleep(300);
  expect(findProcesses(dataDir)).toEqual([]);
});

test("ignores a stale PID file with the ID of another program", async () => {
  useExistingData();
  const first = await start();
  const file = join(cluster(), "postmaster.pid");
  const lines = readFileSync(file, "utf8").split("\n");
  await first.stop();
  writeFileSync(file, [String(process.ppid), ...lines.slice(1)].join("\n"));
  const second = await start();
  expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("rejects data of another major version", async () => {
  mkdirSync(cluster(), { recursive: true });
  writeFileSync(join(cluster(), "PG_VERSION"), "15\n");
  await expect(start()).rejects.toThrow(/was written by PostgreSQL 15, but this is PostgreSQL 18\./);
});
