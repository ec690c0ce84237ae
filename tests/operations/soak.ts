import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#tests/support/free-port.ts";
import { waitUntilDatabaseResponds } from "#tests/support/server-process.ts";
import { build } from "../../scripts/build.mjs";
import { examine, startFlows } from "./kill/campaign.ts";
import { openShop } from "./kill/shop.ts";
import type { Outcome } from "./outcome.ts";
import { startPrimary } from "./postgres.ts";
import { createFolder, type Portal } from "./servers.ts";
import { drawPlot } from "./soak-plot.ts";
import { createTraffic, measurePeak, prepareCalls } from "./soak-traffic.ts";

/** Length of the soak in minutes. */
const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 120);
/** Share of the highest rate that the two processes reach beside the writers. */
const SHARE_OF_PEAK = 0.6;
/** Customers and staff who write all the time. */
const WRITERS = 2;
const SAMPLE_EVERY_MS = 10_000;
/** Interval between two disturbances: a deployment, a kill of a process and a kill of PostgreSQL take turns. */
const DISTURB_EVERY_MS = Math.min(5, MINUTES / 6) * 60_000;
/** Memory of the process that is never restarted: its last quarter against its second one. */
const LARGEST_GROWTH = 1.25;
const LONGEST_LAG_SECONDS = 60;

/** What the processes and the callers saw in ten seconds. Times are in seconds since the start. */
export interface Sample {
  readonly at: number;
  readonly requests: number;
  readonly failed: number;
  readonly p99Ms: number;
  /** Memory of each process in MB; null while it is away. */
  readonly memory: readonly (number | null)[];
  /** Emails, webhook deliveries, payment notices and jobs that wait. */
  readonly waiting: number;
  readonly lagSeconds: number;
}

/** Reads numbers of a process from its metrics; null while it is away. */
async function readMetrics(port: number): Promise<{ memory: number; waiting: number; lag: number } | null> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => "",
  );
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, "gm"))].map(([, value]) => Number(value));
  const [resident] = sum("process_resident_memory_bytes");
  if (resident === undefined) return null;
  const waiting = ["portal_outbox_emails", "portal_webhook_deliveries", "portal_payment_notices", "portal_queue_jobs"];
  const lags = ["portal_outbox_age_seconds", "portal_webhook_age_seconds", "portal_payment_notice_age_seconds"];
  return {
    memory: resident / 1e6,
    waiting: waiting.flatMap(sum).reduce((total, one) => total + one, 0),
    lag: Math.max(0, ...[...lags, "portal_queue_lag_seconds"].flatMap(sum)),
  };
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** Returns the quantile of times in whole milliseconds. */
function findQuantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/**
 * Runs two processes for two hours (`SOAK_MINUTES`) at 60 % of their highest rate, with every kind of call, writes of
 * customers and staff, jobs, reports, deployments and kills. Fails if memory or a queue grows, a call gets no good answer from
 * either process, or a write is lost. Draws the run to the file `SOAK_PLOT`.
 */
export async function soak(bundle: string): Promise<Outcome> {
  // The servers send the home page, too.
  await build(["portal"]);
  const database = await startPrimary();
  const folder = createFolder();
  const names = ["disturbed", "steady"] as const;
  const metricsPorts = [await findFreePort(), await findFreePort()];
  const shop = await openShop(
    bundle,
    database,
    names.map((name, at) => ({
      DATABASE_URL: database.url,
      METRICS_PORT: String(metricsPorts[at]),
      LOG_LEVEL: "warn",
      LOG_FILE: join(folder, name),
    })),
  );
  const [disturbed] = shop.portals as [Portal, Portal];
  const traffic = createTraffic(shop, await prepareCalls(shop));
  const writers = startFlows(shop, WRITERS);
  const peak = await measurePeak(traffic);
  process.stdout.write(`       ${Math.round(peak)} calls a second at most\n`);
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const events: { readonly at: number; readonly name: string }[] = [];
  const faults: string[] = [];
  const stopTraffic = traffic.start(peak * SHARE_OF_PEAK);
  let late = 0;

  const takeSample = async (): Promise<void> => {
    const { times, failed, late: more } = traffic.take();
    const metrics = await Promise.all(metricsPorts.map(readMetrics));
    late += more;
    samples.push({
      at: Math.round((performance.now() - startedAt) / 1_000),
      requests: times.length,
      failed,
      p99Ms: findQuantile(times, 0.99),
      memory: metrics.map((one) => one && Math.round(one.memory)),
      waiting: Math.max(0, ...metrics.map((one) => one?.waiting ?? 0)),
      lagSeconds: Math.max(0, ...metrics.map((one) => one?.lag ?? 0)),
    });
  };
  const disturbances: readonly { name: string; run: () => Promise<void> }[] = [
    { name: "deployment", run: async () => await restart(() => disturbed.stop()) },
    { name: "process killed", run: async () => await restart(() => disturbed.kill()) },
    {
      name: "PostgreSQL killed",
      async run() {
        database.kill();
        await database.start();
        await Promise.all(shop.portals.map(({ url }) => waitUntilDatabaseResponds(url)));
      },
    },
  ];
  async function restart(end: () => Promise<void>): Promise<void> {
    await end();
    await disturbed.start();
  }

  const endsAt = startedAt + MINUTES * 60_000;
  let nextDisturbance = startedAt + DISTURB_EVERY_MS;
  while (performance.now() < endsAt && faults.length === 0) {
    await sleep(SAMPLE_EVERY_MS);
    await takeSample();
    if (performance.now() < nextDisturbance || endsAt - performance.now() < 60_000) continue;
    nextDisturbance += DISTURB_EVERY_MS;
    const one = disturbances[events.length % disturbances.length] as (typeof disturbances)[number];
    events.push({ at: Math.round((performance.now() - startedAt) / 1_000), name: one.name });
    await one.run().catch((error: unknown) => faults.push(`${one.name}: ${String(error)}`));
    const last = samples.at(-1);
    process.stdout.write(
      `       ${last?.at} s: ${one.name}; ${last?.requests} calls in 10 s, p99 ${last?.p99Ms} ms, memory ${last?.memory.join(" and ")} MB, ${last?.waiting} waiting, ${samples.reduce((total, { failed }) => total + failed, 0)} failed so far\n`,
    );
  }
  await stopTraffic();
  const { acknowledged, refused } = await writers.stop();
  await sleep(SAMPLE_EVERY_MS);
  await takeSample();
  const examined = await examine(shop, acknowledged);
  await shop.close();

  if (process.env["SOAK_PLOT"]) writeFileSync(process.env["SOAK_PLOT"], drawPlot(samples, events));
  const quarter = (number: number) =>
    samples.slice(Math.floor((samples.length * (number - 1)) / 4), Math.floor((samples.length * number) / 4));
  const memoryOf = (number: number) => median(quarter(number).flatMap(({ memory }) => memory[1] ?? []));
  const [early, latest] = [memoryOf(2), memoryOf(4)];
  const calm = samples.filter(({ at }) => !events.some((event) => at >= event.at && at < event.at + 60));
  const failedCalmly = calm.reduce((total, { failed }) => total + failed, 0);
  const ends = { lag: samples.at(-1)?.lagSeconds ?? 0, waiting: samples.at(-1)?.waiting ?? 0 };
  const errors = names.map((name) => countErrors(join(folder, name)));
  return {
    figures: [
      `${MINUTES} minutes at ${Math.round(peak * SHARE_OF_PEAK)} of ${Math.round(peak)} calls a second`,
      `${samples.reduce((total, { requests }) => total + requests, 0)} calls, p99 ${median(calm.map(({ p99Ms }) => p99Ms))} ms, ${failedCalmly} failed, ${samples.reduce((total, { failed }) => total + failed, 0) - failedCalmly} within a minute of a kill, ${late} not sent`,
      `${events.length} disturbances`,
      `memory of the steady process ${early} MB in the second quarter, ${latest} MB in the last`,
      `${ends.waiting} waiting at the end, the oldest for ${Math.round(ends.lag)} s`,
      `${errors.join(" and ")} errors in the logs`,
      examined.figures,
    ].join("; "),
    faults: [
      ...faults,
      ...examined.faults,
      ...[...traffic.problems].map(([text, count]) => `${count} × ${text}`).slice(0, failedCalmly > 0 ? 10 : 0),
      ...(latest > early * LARGEST_GROWTH ? [`memory grew from ${early} to ${latest} MB`] : []),
      ...(ends.lag > LONGEST_LAG_SECONDS ? [`something has waited for ${Math.round(ends.lag)} s`] : []),
      ...refused.slice(0, 10),
    ],
  };
}

/** Counts the lines of a log about errors. */
const countErrors = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^\{"level":[56]0/.test(line)).length;
