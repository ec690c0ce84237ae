import { migrations } from "#api/migrations/index.ts";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "#tests/support/free-port.ts";
import { startProgram } from "./debian.ts";
import { type LoadResult, signIn, startLoad } from "./load.ts";
import type { Outcome } from "./outcome.ts";
import { type PostgresServer, startPrimary, startReplica } from "./postgres.ts";
import { createFolder, createPortal, type Portal } from "./servers.ts";

function describe({ requests, failed, slowestMs, statuses }: LoadResult): string {
  return `${requests} requests, ${failed} failed, slowest ${slowestMs} ms, ${JSON.stringify(statuses)}`;
}

const check = (condition: boolean, fault: string): string[] => (condition ? [] : [fault]);

async function startHaproxy(portals: readonly Portal[]): Promise<{ url: string; stop: () => void }> {
  const port = await findFreePort();
  const servers = portals.map((one, at) => `  server s${at} 127.0.0.1:${one.port} check inter 500ms fall 2 rise 1`);
  const program = await startProgram(
    "haproxy",
    [
      "defaults",
      "  mode http",
      "  timeout connect 2s",
      "  timeout client 60s",
      "  timeout server 60s",
      "  retries 3",
      "  option redispatch",
      "frontend portal",
      `  bind 127.0.0.1:${port}`,
      "  default_backend portal",
      "backend portal",
      "  option httpchk GET /health/ready",
      ...servers,
      "",
    ].join("\n"),
    (file) => ["-f", file],
    2_000,
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => program.stop() };
}

async function startPortals(bundle: string, env: Record<string, string>, count: number): Promise<Portal[]> {
  const dataDir = createFolder();
  const portals: Portal[] = [];
  for (let at = 0; at < count; at++) portals.push(await createPortal(bundle, dataDir, env));
  // The first process fills the database.
  for (const portal of portals) await portal.start();
  return portals;
}

/** Restarts four processes one after another behind HAProxy under load. */
export async function restartRolling(bundle: string): Promise<Outcome> {
  const database = await startPrimary();
  const portals = await startPortals(bundle, { DATABASE_URL: database.url }, 4);
  const proxy = await startHaproxy(portals);
  const load = await startLoad(proxy.url, 10);
  for (const portal of portals) {
    await portal.stop();
    await portal.start();
    await sleep(1_000);
  }
  const result = await load.stop();
  proxy.stop();
  await Promise.all(portals.map((one) => one.stop()));
  await database.stop();
  return {
    figures: describe(result),
    faults: [
      ...check(result.failed === 0, `${result.failed} requests failed`),
      ...check(result.requests >= 2_000, `only ${result.requests} requests`),
    ],
  };
}

/** Builds the release before the newest migration. */
function buildPreviousRelease(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const newest = `"${migrations.at(-1)?.name}"`;
  const commit = git("log", "--format=%H", "--first-parent", "-S", newest, "--", "api/migrations").split("\n").at(-1);
  const folder = mkdtempSync(resolve(".cache/previous-"));
  execFileSync("sh", ["-c", `git archive ${commit}^1 | tar -x -C ${folder}`]);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  // The build writes this file, so it isn't in the repository.
  const localities = "api/people/addresses/australian-localities.json";
  copyFileSync(localities, join(folder, localities));
  execFileSync(
    process.execPath,
    [
      resolve("node_modules/vite/bin/vite.js"),
      "build",
      "--config",
      "vite.server.config.ts",
      "--ssr",
      "api/server.ts",
      "--logLevel",
      "warn",
    ],
    { cwd: folder, stdio: "inherit" },
  );
  return join(folder, "dist/server");
}

/** Upgrades from the previous release while another program reads for 30 seconds in one transaction. */
export async function upgradeUnderReader(bundle: string): Promise<Outcome> {
  const database = await startPrimary();
  const old = await startPortals(buildPreviousRelease(), { DATABASE_URL: database.url }, 2);
  const before = await database.run<{ name: string }>("select name from mikro_orm_migrations");
  const next = await createPortal(bundle, createFolder(), { DATABASE_URL: database.url });
  const proxy = await startHaproxy(old);
  const load = await startLoad(proxy.url, 10);
  await sleep(2_000);
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  const tables = await reader.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  await reader.query("begin");
  for (const { name } of tables.rows) await reader.query(`select 1 from ${name} limit 1`);
  const readUntil = sleep(30_000).then(() => reader.query("commit"));
  const startedAt = performance.now();
  await next.start();
  const readyAfterMs = Math.round(performance.now() - startedAt);
  await readUntil;
  await sleep(2_000);
  const result = await load.stop();
  const after = await database.run<{ name: string }>("select name from mikro_orm_migrations");
  await reader.end();
  proxy.stop();
  await Promise.all([...old, next].map((one) => one.stop()));
  await database.stop();
  return {
    figures: `${describe(result)}; ${after.length - before.length} migrations, the new process was ready after ${readyAfterMs} ms`,
    faults: [
      ...check(result.failed <= result.requests / 100, `${result.failed} requests failed`),
      ...check(result.slowestMs <= 3_000, `the slowest request took ${result.slowestMs} ms`),
      ...check(after.length > before.length, "nothing was migrated"),
    ],
  };
}

/** Runs two processes behind PgBouncer in transaction mode with fewer server connections than the processes use. */
export async function usePgBouncer(bundle: string): Promise<Outcome> {
  const database = await startPrimary();
  const port = await findFreePort();
  const bouncer = await startProgram(
    "pgbouncer",
    [
      "[databases]",
      `portal = host=127.0.0.1 port=${database.port} dbname=portal user=postgres`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
      "default_pool_size = 6",
      "max_client_conn = 200",
      "",
    ].join("\n"),
    (file) => [file],
  );
  const version = execFileSync("pgbouncer", ["--version"], { encoding: "utf8" }).split("\n")[0];
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/portal`,
    DATABASE_DIRECT_URL: database.url,
  };
  const portals = await startPortals(bundle, env, 2);
  const [first] = portals as [Portal, Portal];
  const load = await startLoad(first.url, 10, [dashboardQuery]);
  await sleep(15_000);
  const result = await load.stop();

  const { token, userId } = await signIn(first.url, "ada@demo.test");
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin; lock table users in access exclusive mode");
  const startedAt = performance.now();
  const blocked = await fetch(`${first.url}/v1/core/accounts/${userId}/profile`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const blockedMs = Math.round(performance.now() - startedAt);
  await holder.query("rollback");
  await holder.end();
  await Promise.all(portals.map((one) => one.stop()));
  bouncer.stop();
  await database.stop();
  return {
    figures: `${version}: ${describe(result)}; a call that waits for a lock got ${blocked.status} after ${blockedMs} ms`,
    faults: [
      ...check(result.failed === 0, `${result.failed} requests failed`),
      ...check(blocked.status === 503 && blockedMs < 3_500, `a lock gave ${blocked.status} after ${blockedMs} ms`),
    ],
  };
}

const dashboardQuery = "{ securityEvents { endCursor rows { id } } dashboard(days: 30) { activity { behindSince } } }";

/** Loses a streaming replica under load. */
export async function loseReplica(bundle: string): Promise<Outcome> {
  const database = (await startPrimary()) as PostgresServer & { folder: string };
  const replica = await startReplica(database);
  const metricsPort = await findFreePort();
  const env = {
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: replica.url,
    METRICS_PORT: String(metricsPort),
  };
  const [portal] = (await startPortals(bundle, env, 1)) as [Portal];
  const countReads = async () =>
    Number(
      (
        await replica.run<{ n: string }>(
          "select tup_returned::text as n from pg_stat_database where datname = 'portal'",
        )
      )[0]?.n,
    );
  await sleep(3_000);
  const load = await startLoad(portal.url, 8, [dashboardQuery, dashboardQuery]);
  const before = await countReads();
  await sleep(6_000);
  const read = (await countReads()) - before;
  replica.kill();
  await sleep(10_000);
  const result = await load.stop();
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const fallbacks = /portal_replica_fallbacks_total\{reason="away"\} (\d+)/.exec(metrics)?.[1] ?? "0";
  await portal.stop();
  await replica.stop();
  await database.stop();
  return {
    figures: `${describe(result)}; ${read} rows read from the replica, then ${fallbacks} reads from the primary instead`,
    faults: [
      ...check(result.failed === 0, `${result.failed} requests failed`),
      ...check(read > 0, "nothing was read from the replica"),
      ...check(Number(fallbacks) > 0, "nothing fell back to the primary"),
    ],
  };
}
