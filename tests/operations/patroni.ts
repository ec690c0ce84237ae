import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#tests/support/free-port.ts";
import { isRoot, NOBODY, owner, startProgram } from "./debian.ts";
import { type Database, runSql } from "./postgres.ts";

const BINARIES = "/usr/lib/postgresql/15/bin";

/** One PostgreSQL server with the Patroni that controls it. */
export interface Node {
  readonly name: string;
  /** Address of this server's database, whatever its role is. */
  readonly url: string;
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void;
  /** Kills Patroni and every process of its PostgreSQL at the same moment, as a lost machine would. */
  kill(): void;
}

/** Three PostgreSQL servers under Patroni with etcd, in synchronous mode, and HAProxy in front of them. */
export interface Cluster extends Database {
  readonly nodes: readonly Node[];
  /** Address of the database through the port of HAProxy that checks `/primary`. */
  readonly proxyUrl: string;
  /** Address through the port that checks `/replica`. */
  readonly replicaProxyUrl: string;
  /** Addresses of all servers in one URL, without `target_session_attrs`. */
  readonly hostsUrl: string;
  /** Waits until one server leads, and all others follow without delay, one of them synchronously. Returns the leader. */
  waitUntilWhole(): Promise<Node>;
  /** Asks Patroni to give the lead to a synchronous standby. */
  switchOver(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** What docs/operations.md recommends for Patroni. */
const dcs = {
  ttl: 10,
  loop_wait: 2,
  retry_timeout: 3,
  primary_start_timeout: 0,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, wal_keep_size: "128MB", wal_log_hints: "on" },
  },
};

/** Starts the cluster with an empty database `portal`. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "portal-patroni-"));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const etcd = await startEtcd(folder);
  const members: NodeSettings[] = [];
  for (const name of ["n1", "n2", "n3"])
    members.push({ name, folder, etcdPort: etcd.port, port: await findFreePort(), restPort: await findFreePort() });
  const nodes = members.map(createNode);
  for (const node of nodes) node.start();
  const proxies = await startHaproxy(members);

  const callPatroni = async (path: string, init: RequestInit = {}): Promise<Response> => {
    for (const { restPort } of members) {
      const response = await fetch(`http://127.0.0.1:${restPort}${path}`, {
        ...init,
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      if (response?.ok) return response;
    }
    throw new Error(`No Patroni answered ${path}.`);
  };
  const listMembers = async (): Promise<readonly Member[]> =>
    ((await (await callPatroni("/cluster")).json()) as { members: Member[] }).members;

  const waitUntilWhole = async (): Promise<Node> => {
    let found: readonly Member[] = [];
    for (const startedAt = performance.now(); performance.now() - startedAt < 600_000; await sleep(250)) {
      found = await listMembers().catch(() => []);
      const leader = found.find(({ role }) => role === "leader");
      const followers = found.filter(({ role, state, lag }) => role !== "leader" && state === "running" && lag === 0);
      const isSynchronous = followers.some(({ role }) => role === "sync_standby");
      if (leader?.state === "running" && followers.length === nodes.length - 1 && isSynchronous)
        return nodes.find(({ name }) => name === leader.name) as Node;
    }
    throw new Error(`The cluster isn't whole: ${JSON.stringify(found)}`);
  };

  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = `postgres://postgres@127.0.0.1:${proxies.primary}/portal`;
  const leader = await waitUntilWhole();
  await runSql(leader.url.replace("/portal", "/postgres"), "create database portal");
  return {
    nodes,
    url,
    proxyUrl: url,
    replicaProxyUrl: `postgres://postgres@127.0.0.1:${proxies.replica}/portal`,
    hostsUrl: `postgres://postgres@${hosts}/portal`,
    run: (sql) => runSql(url, sql),
    waitUntilWhole,
    async switchOver() {
      const found = await listMembers();
      const body = {
        leader: found.find(({ role }) => role === "leader")?.name,
        candidate: found.find(({ role }) => role === "sync_standby")?.name,
      };
      await callPatroni("/switchover", { method: "POST", body: JSON.stringify(body) });
    },
    async stop() {
      for (const node of nodes) node.kill();
      proxies.stop();
      etcd.stop();
      await sleep(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startEtcd(folder: string): Promise<{ port: number; stop: () => void }> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const program = await startProgram("etcd", "", () => [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
  return { port, stop: () => program.stop() };
}

interface NodeSettings {
  readonly name: string;
  readonly folder: string;
  readonly etcdPort: number;
  readonly port: number;
  readonly restPort: number;
}

function createNode({ name, folder, etcdPort, port, restPort }: NodeSettings): Node {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const data = join(home, "data");
  const file = join(home, "patroni.json");
  const config = {
    scope: "portal",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: { dcs, initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"] },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: BINARIES,
      pgpass: join(home, "pgpass"),
      authentication: {
        superuser: { username: "postgres", password: "postgres" },
        replication: { username: "replicator", password: "replicator" },
      },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      parameters: { unix_socket_directories: home },
    },
  };
  writeFileSync(file, JSON.stringify(config));
  if (isRoot) for (const path of [home, file]) chownSync(path, NOBODY, NOBODY);
  const log = openSync(join(home, "log"), "a");
  let patroni: ChildProcess | undefined;
  const kill = (): void => {
    const ids = [patroni?.pid, ...listServerProcesses(data)].filter((id) => id !== undefined);
    for (const id of ids)
      try {
        process.kill(id, "SIGKILL");
      } catch {
        // It has just ended.
      }
  };
  process.once("exit", kill);
  return {
    name,
    url: `postgres://postgres@127.0.0.1:${port}/portal`,
    start() {
      const env = { ...process.env, HOME: home };
      patroni = spawn("patroni", [file], { ...owner, env, cwd: home, stdio: ["ignore", log, log] });
    },
    kill,
  };
}

/** Returns the IDs of the processes that name a server's folder, as its postmaster does, and of their children. */
function listServerProcesses(data: string): number[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const own = readdirSync("/proc").filter((id) => /^\d+$/.test(id) && read(`/proc/${id}/cmdline`).includes(data));
  const children = own.flatMap((id) => read(`/proc/${id}/task/${id}/children`).split(" ").filter(Boolean));
  return [...new Set([...own, ...children].map(Number))];
}

async function startHaproxy(
  members: readonly NodeSettings[],
): Promise<{ primary: number; replica: number; stop: () => void }> {
  const [primary, replica] = [await findFreePort(), await findFreePort()];
  const listen = (role: string, port: number): string[] => [
    `listen ${role}`,
    `  bind 127.0.0.1:${port}`,
    `  option httpchk OPTIONS /${role}`,
    "  http-check expect status 200",
    "  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions",
    ...members.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.restPort}`),
  ];
  const program = await startProgram(
    "haproxy",
    [
      "defaults",
      "  mode tcp",
      "  timeout connect 2s",
      "  timeout client 30m",
      "  timeout server 30m",
      "  timeout check 2s",
      ...listen("primary", primary),
      ...listen("replica", replica),
      "",
    ].join("\n"),
    (file) => ["-f", file],
  );
  return { primary, replica, stop: () => program.stop() };
}
