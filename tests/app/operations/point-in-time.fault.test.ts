import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { findFreePort } from "#tests/support/free-port.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { insertUserSql } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";
import { withClient } from "#tests/support/with-client.ts";

/** Folders of Debian's packages of PostgreSQL. The embedded PostgreSQL has no pg_basebackup. */
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
const folders = versions.map((version) => join("/usr/lib/postgresql", version, "bin"));
const programs = folders.find((folder) => existsSync(join(folder, "pg_basebackup")));
// PostgreSQL refuses to run as root.
const user =
  process.getuid?.() === 0 && programs
    ? { uid: Number(execFileSync("id", ["-u", "postgres"])), gid: Number(execFileSync("id", ["-g", "postgres"])) }
    : {};

const folder = createTemporaryFolder("point-in-time-");
const archive = join(folder, "archive");
let running: ChildProcess | null = null;

afterAll(() => stop());

const runProgram = (name: string, ...args: string[]) =>
  execFileSync(join(programs ?? "", name), args, { ...user, cwd: folder, stdio: "pipe" });

async function start(data: string, port: number, settings: readonly string[]): Promise<void> {
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    "-k",
    folder,
    "-h",
    "127.0.0.1",
    // Nothing cuts the power during the test.
    ...["fsync=off", ...settings].flatMap((setting) => ["-c", setting]),
  ];
  running = spawn(join(programs ?? "", "postgres"), args, { ...user, cwd: folder, stdio: "ignore" });
  for (let tries = 0; tries < 300; tries++) {
    const [row] = await query(port, "select pg_is_in_recovery() as r").catch(() => []);
    if (row?.r === false) return;
    await sleep(100);
  }
  throw new Error("PostgreSQL didn't start.");
}

async function stop(): Promise<void> {
  if (!running) return;
  const ended = once(running, "exit");
  running.kill("SIGINT");
  await ended;
  running = null;
}

async function query(port: number, text: string): Promise<Record<string, unknown>[]> {
  const server = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  return (await withClient(server, (client) => client.query<Record<string, unknown>>(text))).rows;
}

test.skipIf(!programs)(
  "returns to a moment with the archived log, as operations.md describes",
  { timeout: 300_000 },
  async () => {
    const wal = join(archive, "wal");
    mkdirSync(wal, { recursive: true });
    for (const path of [folder, archive, wal]) if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
    const data = join(folder, "data");
    runProgram("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync");
    const port = await findFreePort();
    const { services } = parse(readFileSync("deploy/compose.yml", "utf8"), { merge: true }) as {
      services: { database: { command: string[] } };
    };
    const archiving = services.database.command.filter((setting) => setting.startsWith("archive_"));
    expect(archiving).toHaveLength(3);
    const settings = archiving.map((setting) => setting.replaceAll("/archive", archive));
    await start(data, port, settings);

    const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`, DATA_DIR: join(folder, "lib") };
    expect((await runCommand(["migrate"], env)).code).toBe(0);
    const addUser = (email: string) => query(port, insertUserSql.replaceAll("first@example.com", email));
    await addUser("first@example.com");
    const base = join(folder, "base");
    const server = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres"];
    // By default, pg_basebackup waits for a checkpoint that PostgreSQL spreads over minutes.
    runProgram("pg_basebackup", ...server, "-D", base, "-X", "none", "--checkpoint=fast", "--no-sync");
    await addUser("second@example.com");
    const [moment] = await query(port, "select clock_timestamp()::text as now");
    await addUser("mistake@example.com");
    await query(port, "select pg_switch_wal()");
    await stop();

    const page = readFileSync("docs/operations.md", "utf8");
    const [, recovery = ""] = /```ini\n([\s\S]*?)```/.exec(page) ?? [];
    expect(recovery).toContain("recovery_target_time = '2026-11-26 03:10:00+00'");
    const lines = recovery.replaceAll("/archive", archive).replace("2026-11-26 03:10:00+00", String(moment?.now));
    appendFileSync(join(base, "postgresql.conf"), lines);
    writeFileSync(join(base, "recovery.signal"), "");
    if (user.uid !== undefined) chownSync(join(base, "recovery.signal"), user.uid, user.gid);
    await start(base, port, []);
    const restored = await query(port, "select email from users order by email");
    expect(restored.map(({ email }) => email)).toEqual(["first@example.com", "second@example.com"]);
  },
);
