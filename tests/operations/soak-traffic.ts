import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { startJourney } from "./kill/journey.ts";
import type { Shop } from "./kill/shop.ts";
import { post } from "./load.ts";
import type { Portal } from "./servers.ts";

const PEAK_SECONDS = 20;
const PEAK_CLIENTS = 32;
const TICK_MS = 50;
/** Requests that may wait for an answer. Later ones count as late and aren't sent. */
const MOST_WAITING = 400;

interface Call {
  readonly name: string;
  /** Number of times in a round of calls. */
  readonly weight: number;
  readonly build: () => readonly [path: string, init: RequestInit];
}

/** Creates a customer with a licence and a device, and returns every kind of call that people and add-ins make. */
export async function prepareCalls(shop: Shop): Promise<readonly Call[]> {
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
  const yesterday = addDays(getCalendarDay(new Date()), -1);
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
    { name: "validate", weight: 10, build: () => ["/v1/licence/validate", post(buildBody({ machineToken }))] },
    { name: "home page", weight: 2, build: () => ["/", {}] },
    { name: "account", weight: 3, build: () => ["/graphql", post({ query: accountQuery }, tokens.customer)] },
    { name: "list of users", weight: 1, build: () => ["/graphql", post({ query: usersQuery }, tokens.staff)] },
    { name: "dashboard", weight: 1, build: () => ["/graphql", post({ query: dashboardQuery }, tokens.staff)] },
    {
      name: "report",
      weight: 1,
      build: () => [
        "/v1/reports/download-report",
        // Ends before the run, so that a call costs the same at the end of the run as when the highest rate was measured.
        post({ reportType: 6, startDate: "2026-01-01", endDate: yesterday, format: "csv" }, tokens.staff),
      ],
    },
  ];
}

const accountQuery = "{ me { id email licences { licenceCode expiresAt } } taxInvoices { id totalCents } }";
const usersQuery = "{ users(first: 20) { rows { id email licences { supportCode } } } }";
const dashboardQuery = "{ dashboard(days: 30) { days trials { started { value } } } }";

/** Sends calls and counts their answers. A call that a process doesn't answer goes to the other one, as behind a proxy. */
export function createTraffic(shop: Shop, calls: readonly Call[]) {
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
export async function measurePeak(traffic: ReturnType<typeof createTraffic>): Promise<number> {
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
