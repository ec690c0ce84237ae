import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#tests/support/free-port.ts";
import { waitUntilDatabaseResponds } from "#tests/support/server-process.ts";
import { examine, startFlows } from "./kill/campaign.ts";
import { startJourney } from "./kill/journey.ts";
import { openShop, type Shop } from "./kill/shop.ts";
import type { Outcome } from "./outcome.ts";
import { startPrimary } from "./postgres.ts";
import type { Portal } from "./servers.ts";
import { drawPlot } from "./soak-plot.ts";

/** Length of the soak in minutes. */
const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 120);
/** Share of the highest rate that the two processes reach. */
const SHARE_OF_PEAK = 0.6;
const PEAK_SECONDS = 20;
const PEAK_CLIENTS = 32;
/** Customers and staff who write all the time. */
const WRITERS = 2;
const TICK_MS = 50;
const SAMPLE_EVERY_MS = 10_000;
/** Interval between two disturbances: a deployment, a kill of a process and a kill of PostgreSQL take turns. */
const DISTURB_EVERY_MS = Math.min(5, MINUTES / 6) * 60_000;
/** Requests that may wait for an answer. Later ones count as late and aren't sent. */
const MOST_WAITING = 400;
/** Memory of the process that is never restarted: its last quarter against its second one. */
const LARGEST_GROWTH = 1.25;
const LONGEST_LAG_SECONDS = 60;

interface Call {
  readonly name: string;
  /** Number of times in a round of calls. */
  readonly weight: number;
  readonly build: () => readonly [path: string, init: RequestInit];
}

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

const json = (body: object, token?: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
});

/** Creates a customer with a licence and a device, and returns every kind of call that people and add-ins make. */
async function prepareCalls(shop: Shop): Promise<readonly Call[]> {
  const { client } = shop;
  const journey = startJourney(client, () => shop.getStaffToken());
  for (const flow of ["registration", "subscription"] as const) {
    await journey.prepare(flow);
    await journey.run(flow);
  }
  // Access tokens last 10 minutes.
  let tokens = { customer: await client.signIn(journey.email), staff: await shop.getStaffToken() };
  const renewing = setInterval(() => {
    Promise.all([client.signIn(journey.email), shop.getStaffToken()]).then(
      ([customer, staff]) => (tokens = { customer, staff }),
      () => undefined,
    );
  }, 4 * 60_000);
  renewing.unref();
  const { licences } = await client.query<{ licences: { licenceCode: string }[] }>(
    "{ me { licences { licenceCode } } }",
    {},
    tokens.customer,
  );
  const buildBody = (more: object = {}) => ({
    licenceCode: licences[0]?.licenceCode,
    nonce: `nonce-of-${randomUUID()}`,
    clientTimeUtc: new Date().toISOString().replace(/\.\d+/, ""),
    addInVersion: "4.2.0",
    hostVersion: "16.0",
    machine: { machineName: "PLANNING", fingerprint: "fingerprint-of-the-soak", isVm: false },
    ...more,
  });
  const activated = await client.send({ path: "/v1/licence/activate", body: buildBody() });
  const machineToken = activated.json.data?.machineToken as string | undefined;
  if (!machineToken) throw new Error(`The device wasn't activated: ${JSON.stringify(activated.json)}`);
  return [
    { name: "validate", weight: 10, build: () => ["/v1/licence/validate", json(buildBody({ machineToken }))] },
    { name: "home page", weight: 2, build: () => ["/", {}] },
    { name: "account", weight: 3, build: () => ["/graphql", json({ query: accountQuery }, tokens.customer)] },
    { name: "list of users", weight: 1, build: () => ["/graphql", json({ query: usersQuery }, tokens.staff)] },
    { name: "dashboard", weight: 1, build: () => ["/graphql", json({ query: dashboardQuery }, tokens.staff)] },
    {
      name: "report",
      weight: 1,
      build: () => [
        "/v1/reports/download-report",
        json({ reportType: 6, startDate: "2026-01-01", endDate: "2099-12-31", format: "CSV" }, tokens.staff),
      ],
    },
  ];
}

const accountQuery = "{ me { id email licences { licenceCode expiresAt } } taxInvoices { id totalCents } }";
const usersQuery = "{ users(first: 20) { rows { id email licences { supportCode } } } }";
const dashboardQuery = "{ dashboard(days: 30) { days trials { started { value } } } }";

/** Sends calls and counts their answers. A call that a process doesn't answer goes to the other one, as behind a proxy. */
function createTraffic(shop: Shop, calls: readonly Call[]) {
  const round = calls.flatMap((call) => Array.from({ length: call.weight }, () => call));
  const problems = new Map<string, number>();
  let turn = 0;
  let window = { times: [] as number[], failed: 0, late: 0 };
  let waiting = 0;

  async function attempt(portal: Portal, [path, init]: ReturnType<Call["build"]>): Promise<string | null> {
    try {
      const response = await fetch(portal.url + path, { ...init, signal: AbortSignal.timeout(20_000) });
      const text = await response.text();
      if (response.status >= 400) return `${response.status} ${text.slice(0, 200)}`;
      return /"errors":/.test(text) ? text.slice(0, 200) : null;
    } catch (error) {
      return String((error as Error).cause ?? error);
    }
  }

  async function send(): Promise<void> {
    const number = turn++;
    const call = round[number % round.length] as Call;
    const startedAt = performance.now();
    waiting++;
    let problem: string | null = "not sent";
    for (let tries = 0; problem !== null && tries < 4; tries++) {
      if (tries > 0) await sleep(250 * tries);
      problem = await attempt(shop.portals[(number + tries) % shop.portals.length] as Portal, call.build());
    }
    waiting--;
    window.times.push(performance.now() - startedAt);
    if (problem === null) return;
    window.failed++;
    const text = `${call.name}: ${problem.replace(/[0-9a-f-]{36}/g, "…")}`;
    problems.set(text, (problems.get(text) ?? 0) + 1);
  }

  return {
    problems,
    send,
    /** Sends calls at a rate until the returned function is called. */
    start(perSecond: number): () => Promise<void> {
      let owed = 0;
      const running = new Set<Promise<void>>();
      const timer = setInterval(() => {
        for (owed += (perSecond * TICK_MS) / 1_000; owed >= 1; owed--) {
          if (waiting >= MOST_WAITING) {
            window.late++;
            continue;
          }
          const one = send().finally(() => running.delete(one));
          running.add(one);
        }
      }, TICK_MS);
      return async () => {
        clearInterval(timer);
        await Promise.all(running);
      };
    },
    /** Returns what happened since the last time. */
    take() {
      const taken = window;
      window = { times: [], failed: 0, late: 0 };
      return taken;
    },
  };
}

/** Measures the number of answers a second with as many calls as the processes take. */
async function measurePeak(traffic: ReturnType<typeof createTraffic>): Promise<number> {
  let isRunning = true;
  const runClient = async () => {
    while (isRunning) await traffic.send();
  };
  const clients = Promise.all(Array.from({ length: PEAK_CLIENTS }, runClient));
  await sleep(5_000);
  traffic.take();
  await sleep(PEAK_SECONDS * 1_000);
  const { times } = traffic.take();
  isRunning = false;
  await clients;
  traffic.take();
  return times.length / PEAK_SECONDS;
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
  const database = await startPrimary();
  const folder = mkdtempSync(join(tmpdir(), "portal-soak-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
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
  const peak = await measurePeak(traffic);
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const events: { readonly at: number; readonly name: string }[] = [];
  const faults: string[] = [];
  const stopTraffic = traffic.start(peak * SHARE_OF_PEAK);
  const writers = startFlows(shop, WRITERS);
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
  while (performance.now() < endsAt) {
    await sleep(SAMPLE_EVERY_MS);
    await takeSample();
    if (performance.now() < nextDisturbance || endsAt - performance.now() < 60_000) continue;
    nextDisturbance += DISTURB_EVERY_MS;
    const one = disturbances[events.length % disturbances.length] as (typeof disturbances)[number];
    events.push({ at: Math.round((performance.now() - startedAt) / 1_000), name: one.name });
    await one.run().catch((error: unknown) => faults.push(`${one.name}: ${String(error)}`));
    const last = samples.at(-1);
    process.stdout.write(
      `       ${last?.at} s: ${one.name}; ${last?.requests} calls in 10 s, p99 ${last?.p99Ms} ms, memory ${last?.memory.join(" and ")} MB, ${last?.waiting} waiting\n`,
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
