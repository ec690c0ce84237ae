import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { noResponse } from "./kill/client.ts";
import { examine, scaled, startFlows } from "./kill/campaign.ts";
import { openShop } from "./kill/shop.ts";
import type { Outcome } from "./outcome.ts";
import { type Cluster, startCluster } from "./patroni.ts";
import type { Database } from "./postgres.ts";
import { createPortal, createFolder } from "./servers.ts";

const KILLS = scaled(10);
const SWITCHOVERS = scaled(3);
const CONNECTIONS = 2;
/** Interval at which a probe sends writes to each process, in milliseconds. */
const PROBE_EVERY_MS = 250;
/** Number of probes that may wait for an answer, so that a busy machine isn't kept busy by them alone. */
const MOST_WAITING = 20;
/** Limits of the longest time in which no write was acknowledged, in milliseconds. */
const LONGEST_FAILOVER_MS = 15_000;
const LONGEST_SWITCHOVER_MS = 3_000;

/** Sends small writes to a process at a fixed rate, whatever happens to the earlier ones. */
interface Probe {
  /** Waits until a write that is sent from now on is acknowledged. */
  waitForWrite(): Promise<void>;
  /** Returns the longest time since `from` in which no write was acknowledged, in milliseconds. */
  longestGapSince(from: number): number;
  /** Ends the probe. Returns the number of acknowledged writes, and those that aren't stored exactly once. */
  stop(database: Database): Promise<ProbeResult>;
}

interface ProbeResult {
  readonly acknowledged: number;
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
}

function startProbe(url: string): Probe {
  const sent: {
    readonly text: string;
    readonly at: number;
    answeredAt?: number;
    isAcknowledged?: boolean;
    answer?: string;
  }[] = [];
  const running = new Set<Promise<void>>();
  const send = async (): Promise<void> => {
    const write: (typeof sent)[number] = { text: `probe ${randomUUID()}`, at: performance.now() };
    sent.push(write);
    // A message that looks like spam is stored like any other, but isn't emailed.
    const body = {
      name: "Ada Byron",
      email: "ada@example.com",
      phone: "0400 000 000",
      message: write.text,
      website: "-",
    };
    const answer = await fetch(`${url}/v1/contact-us/send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (response) => `${response.status} ${await response.text()}`,
      (error: unknown) => String(error),
    );
    Object.assign(write, { answeredAt: performance.now(), isAcknowledged: answer.startsWith("200"), answer });
  };
  const timer = setInterval(() => {
    if (running.size >= MOST_WAITING) return;
    const one = send();
    running.add(one);
    void one.finally(() => running.delete(one));
  }, PROBE_EVERY_MS);
  return {
    async waitForWrite() {
      const from = performance.now();
      while (!sent.some((one) => one.isAcknowledged && one.at >= from)) {
        const last = sent.findLast(({ answer }) => answer)?.answer;
        if (performance.now() - from > 120_000) throw new Error(`No write for two minutes; last answer: ${last}`);
        await sleep(20);
      }
    },
    longestGapSince(from) {
      const times = sent.flatMap((one) => (one.isAcknowledged && one.answeredAt ? [one.answeredAt] : []));
      const inside = [...times.filter((time) => time > from), performance.now()].toSorted((one, other) => one - other);
      return Math.max(...inside.map((time, at) => time - (inside[at - 1] ?? from)));
    },
    async stop(database) {
      clearInterval(timer);
      await Promise.all(running);
      const rows = await database.run<{ message: string; n: number }>(
        "select message, count(*)::int as n from contact_messages where message like 'probe %' group by message",
      );
      const stored = new Map(rows.map(({ message, n }) => [message, n]));
      const acknowledged = sent.filter((one) => one.isAcknowledged);
      return {
        acknowledged: acknowledged.length,
        refused: sent.length - acknowledged.length,
        lost: acknowledged.filter(({ text }) => !stored.has(text)).length,
        doubled: sent.filter(({ text }) => (stored.get(text) ?? 0) > 1).length,
      };
    },
  };
}

/** Returns the largest number of lines about failures that a log has within a second, and a line of that second. */
function findBusiestSecond(file: string): { lines: number; example: string } {
  const bySecond = Map.groupBy(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => /^\{"level":[45]0/.test(line)),
    (line) => Math.floor(Number((JSON.parse(line) as { time: number }).time) / 1_000),
  );
  const busiest = [...bySecond.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
  return { lines: busiest.length, example: busiest.map((line) => line.slice(0, 240)).join("\n         ") };
}

/** Returns what is wrong if the product is given a standby: `doctor`, readiness and calls have to say that it is away. */
async function examineStandby(bundle: string, cluster: Cluster): Promise<string[]> {
  const faults: string[] = [];
  // The process connects to a primary, which then becomes a standby.
  const node = await cluster.waitUntilWhole();
  const portal = await createPortal(bundle, createFolder(), { DATABASE_URL: node.url });
  await portal.start();
  const read = async (path: string) => {
    const response = await fetch(portal.url + path);
    return `${response.status} ${await response.text()}`;
  };
  await cluster.switchOver();
  await cluster.waitUntilWhole();
  await sleep(1_000);
  const health = await read("/health/database");
  if (!health.startsWith("503")) faults.push(`/health/database of a standby: ${health}`);
  const ready = await read("/health/ready");
  if (!ready.startsWith("200")) faults.push(`/health/ready without a database: ${ready}`);
  await portal.stop();
  try {
    execFileSync(process.execPath, [join(bundle, "server.js"), "doctor", "--json"], {
      env: { ...process.env, NODE_ENV: "development", LOG_LEVEL: "silent", DATABASE_URL: node.url },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 60_000,
    });
    faults.push("doctor accepts a standby");
  } catch (error) {
    const output = String((error as { stdout?: unknown }).stdout);
    if (!output.includes("standby")) faults.push(`doctor doesn't name the standby: ${output.slice(0, 500)}`);
  }
  return faults;
}

/**
 * Kills the leader of a Patroni cluster under load, and moves its lead as planned. One process reaches the database through
 * HAProxy, another one by a list of all servers.
 */
export async function failOver(bundle: string): Promise<Outcome> {
  const cluster = await startCluster();
  const folder = createFolder();
  const addresses = {
    HAProxy: { DATABASE_URL: cluster.proxyUrl, DATABASE_REPLICA_URL: cluster.replicaProxyUrl },
    hosts: {
      DATABASE_URL: `${cluster.hostsUrl}?target_session_attrs=read-write`,
      DATABASE_REPLICA_URL: cluster.hostsUrl,
    },
  };
  const names = Object.keys(addresses);
  const environments = Object.entries(addresses).map(([name, urls]) => ({
    ...urls,
    LOG_LEVEL: "warn",
    LOG_FILE: join(folder, name),
  }));
  const shop = await openShop(bundle, cluster, environments);
  const probes = shop.portals.map(({ url }) => startProbe(url));
  const load = startFlows(shop, CONNECTIONS);
  const gaps = { kill: names.map((): number[] => []), switchover: names.map((): number[] => []) };
  const measure = async (kind: keyof typeof gaps, disturb: () => Promise<void>): Promise<void> => {
    await Promise.all(probes.map((probe) => probe.waitForWrite()));
    const from = performance.now();
    await disturb();
    await sleep(kind === "kill" ? 2_000 : 0);
    await Promise.all(probes.map((probe) => probe.waitForWrite()));
    // A second one, because a broken connection may be found later.
    await sleep(3_000);
    await Promise.all(probes.map((probe) => probe.waitForWrite()));
    probes.forEach((probe, at) => gaps[kind][at]?.push(Math.round(probe.longestGapSince(from))));
    process.stdout.write(
      `       longest time without a write after each ${kind}, in ms: ${JSON.stringify(gaps[kind])}\n`,
    );
  };
  for (let round = 0; round < KILLS; round++) {
    const leader = await cluster.waitUntilWhole();
    await sleep(1_000 + Math.random() * 2_000);
    await measure("kill", async () => leader.kill());
    leader.start();
  }
  for (let round = 0; round < SWITCHOVERS; round++) {
    await cluster.waitUntilWhole();
    await sleep(2_000);
    await measure("switchover", () => cluster.switchOver());
  }
  await cluster.waitUntilWhole();
  const { acknowledged, refused } = await load.stop();
  const probed: ProbeResult[] = [];
  for (const probe of probes) probed.push(await probe.stop(cluster));
  const examined = await examine(shop, acknowledged);
  await Promise.all(shop.portals.map((one) => one.stop()));
  const logs = names.map((name) => ({ name, ...findBusiestSecond(join(folder, name)) }));
  const standby = await examineStandby(bundle, cluster);
  await shop.close();

  const sum = (pick: (one: ProbeResult) => number) => probed.reduce((total, one) => total + pick(one), 0);
  const describe = (kind: keyof typeof gaps) =>
    names.map((name, at) => `${name} ${describeGaps(gaps[kind][at] ?? [])}`).join(", ");
  const tooLong = (kind: keyof typeof gaps, limit: number) =>
    names.flatMap((name, at) =>
      (gaps[kind][at] ?? []).filter((ms) => ms > limit).map((ms) => `${kind}: no write for ${ms} ms, ${name}`),
    );
  return {
    figures: [
      `leader killed ${KILLS} times: no write for ${describe("kill")}`,
      `${SWITCHOVERS} switchovers: ${describe("switchover")}`,
      `${sum((one) => one.acknowledged)} probes acknowledged, ${sum((one) => one.refused)} refused, ${sum((one) => one.lost)} lost, ${sum((one) => one.doubled)} twice`,
      examined.figures,
      `at most ${logs.map(({ name, lines }) => `${lines} (${name})`).join(", ")} lines in the log a second`,
    ].join("; "),
    faults: [
      ...tooLong("kill", LONGEST_FAILOVER_MS),
      ...tooLong("switchover", LONGEST_SWITCHOVER_MS),
      ...(sum((one) => one.lost + one.doubled) > 0 ? ["probes were lost or stored twice"] : []),
      ...examined.faults,
      ...refused.filter((fault) => !fault.includes(noResponse)).slice(0, 10),
      ...logs
        .filter(({ lines }) => lines > 3)
        .map(({ name, lines, example }) => `${name} logged ${lines} lines in one second:\n         ${example}`),
      ...standby,
    ],
  };
}

function describeGaps(gaps: readonly number[]): string {
  const sorted = gaps.toSorted((one, other) => one - other);
  const seconds = (ms = 0) => (ms / 1_000).toFixed(1);
  return `${seconds(sorted[Math.floor(sorted.length / 2)])} s (${seconds(sorted[0])}–${seconds(sorted.at(-1))} s)`;
}
