import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "#tests/operations/outcome.ts";
import { startPrimary } from "#tests/operations/postgres.ts";
import type { Portal } from "#tests/operations/servers.ts";
import { waitUntilDatabaseResponds } from "#tests/support/server-process.ts";
import { type Books, findDisagreements, findLost, readBooks } from "./check-books.ts";
import { noResponse } from "./client.ts";
import { type Acknowledged, type Flow, flows, startJourney, writeOfFlow } from "./journey.ts";
import { openShop, type Shop } from "./shop.ts";
import { type ProxyMoment, proxyMoments, startStatementProxy } from "./statement-proxy.ts";

/** Size of the campaign. `OPERATIONS_SCALE`, such as 0.1, shrinks the numbers of kills for a quick run. */
export const scale = Number(process.env["OPERATIONS_SCALE"] ?? 1);
export const scaled = (count: number) => Math.max(1, Math.round(count * scale));
const CONNECTIONS = 50;
const PROCESS_KILLS = scaled(20);
const DATABASE_KILLS = scaled(10);
const REPEATS = scaled(5);
/** Load between two kills, in milliseconds. */
const [shortestPause, longestPause] = [500, 4_000];

type Moment = ProxyMoment | "after the response";
const moments: readonly Moment[] = [...proxyMoments, "after the response"];

/** Waits until payments, refunds and their documents agree, because interrupted ones are finished in the background. */
async function settle(shop: Shop): Promise<Books> {
  for (const startedAt = performance.now(); ; await sleep(1_000)) {
    await shop.simulator.catchUp();
    const books = await readBooks(shop.database, shop.provider);
    if (findDisagreements(books).length === 0 || performance.now() - startedAt > 120_000) return books;
  }
}

/** Compares what was acknowledged with what is stored, and the books with each other. */
export async function examine(shop: Shop, acknowledged: readonly Acknowledged[]): Promise<Outcome> {
  const books = await settle(shop);
  let lost = await findLost(shop.database, acknowledged);
  for (let tries = 0; lost.length > 0 && tries < 60; tries++) {
    await sleep(1_000);
    lost = await findLost(shop.database, acknowledged);
  }
  const counts = flows.map((flow) => `${acknowledged.filter((one) => one.flow === flow).length} ${flow}`);
  const dollars = (books.providerPaidCents + books.receivedCents) / 100;
  return {
    figures: `${acknowledged.length} acknowledged writes (${counts.join(", ")}), ${lost.length} lost; A$${dollars.toLocaleString("en-AU")} received, invoiced and licensed`,
    faults: [...lost.map(({ flow, email }) => `lost: ${flow} of ${email}`), ...findDisagreements(books)],
  };
}

/** Writes of many journeys: those acknowledged, and the errors of requests that failed for good. */
export interface FlowsResult {
  readonly acknowledged: readonly Acknowledged[];
  readonly refused: readonly string[];
}

/** Runs every flow from `connections` concurrent clients until it is stopped. */
export function startFlows(shop: Shop, connections: number): { stop(): Promise<FlowsResult> } {
  const acknowledged: Acknowledged[] = [];
  const refused: string[] = [];
  let isRunning = true;
  const runClient = async (): Promise<void> => {
    while (isRunning) {
      const journey = startJourney(shop.client, () => shop.getStaffToken());
      try {
        for (const flow of flows) {
          await journey.prepare(flow);
          const done = await journey.run(flow);
          if (done) acknowledged.push(done);
          if (!isRunning) break;
        }
      } catch (error) {
        refused.push(String(error));
        await sleep(200);
      }
    }
  };
  const clients = Promise.all(Array.from({ length: connections }, runClient));
  return {
    async stop() {
      isRunning = false;
      await clients;
      return { acknowledged, refused };
    },
  };
}

/** Kills processes and PostgreSQL at random moments while 50 connections run every flow. */
export async function killAtRandom(bundle: string): Promise<Outcome> {
  const database = await startPrimary();
  const shop = await openShop(bundle, database, [{ DATABASE_URL: database.url }, { DATABASE_URL: database.url }]);
  const load = startFlows(shop, CONNECTIONS);
  const kills = [...Array(PROCESS_KILLS).fill("process"), ...Array(DATABASE_KILLS).fill("database")] as string[];
  const order = kills.map((kind) => ({ kind, at: Math.random() })).toSorted((one, other) => one.at - other.at);
  for (const [round, { kind }] of order.entries()) {
    const portal = shop.portals[round % 2] as Portal;
    await sleep(shortestPause + Math.random() * (longestPause - shortestPause));
    if (kind === "process") {
      await portal.kill();
      await portal.start();
    } else {
      database.kill();
      await database.start();
      await waitUntilDatabaseResponds(portal.url);
    }
  }
  await sleep(longestPause);
  const { acknowledged, refused } = await load.stop();
  const { figures, faults } = await examine(shop, acknowledged);
  await shop.close();
  return {
    figures: `${CONNECTIONS} connections, ${PROCESS_KILLS} processes and ${DATABASE_KILLS} PostgreSQL servers killed: ${figures}; ${refused.length} requests given up`,
    faults: [
      ...faults,
      ...refused.filter((fault) => !fault.includes(noResponse)).slice(0, 10),
      ...(acknowledged.length < 200 * scale ? [`only ${acknowledged.length} writes were acknowledged`] : []),
    ],
  };
}

/** Kills the process at each moment of each flow, and repeats the request, which must have one effect. */
export async function killAtMoments(bundle: string): Promise<Outcome> {
  const database = await startPrimary();
  const proxy = await startStatementProxy(database.port);
  const shop = await openShop(bundle, database, [
    { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/portal` },
  ]);
  const [portal] = shop.portals as [Portal];
  const acknowledged: Acknowledged[] = [];
  const faults: string[] = [];
  let kills = 0;
  const killOnce = async (flow: Flow, moment: Moment): Promise<void> => {
    const journey = startJourney(shop.client, () => shop.getStaffToken());
    await journey.prepare(flow);
    const isReached = moment === "after the response" ? null : proxy.stopAt(writeOfFlow[flow], moment);
    const running = journey.run(flow);
    // A rejection is handled below, after the kill.
    running.catch(() => {});
    const isStopped = await Promise.race([isReached ?? running.then(() => true), sleep(30_000).then(() => false)]);
    if (isStopped === false) throw new Error("the moment was never reached");
    await portal.kill();
    kills++;
    await portal.start();
    const done = await running;
    if (done) acknowledged.push(done);
    // The customer clicks again.
    if (flow !== "registration") await journey.run(flow);
  };
  const describe = (examined: Outcome) =>
    `${kills} processes killed at ${moments.length} moments of ${flows.length} flows: ${examined.figures}`;
  let examined: Outcome = { figures: "", faults: [] };
  for (let round = 1; round <= REPEATS; round++) {
    for (const flow of flows)
      for (const moment of moments)
        await killOnce(flow, moment).catch((error: unknown) => faults.push(`${flow}, ${moment}: ${String(error)}`));
    examined = await examine(shop, acknowledged);
    if (round < REPEATS) process.stdout.write(`       round ${round} of ${REPEATS}: ${describe(examined)}\n`);
  }
  await shop.close();
  proxy.close();
  return {
    figures: describe(examined),
    faults: [...faults, ...examined.faults],
  };
}
