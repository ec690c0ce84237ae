import type pg from "pg";
import type { Contest } from "./contests.ts";
import { countStored } from "./data.ts";
import { sendCounted } from "./load/load.ts";
import { readResidentMegabytes } from "./processor-time.ts";
import type { Verdict } from "./report.ts";
import { startProduct } from "./servers.ts";
import type { Bench } from "./suite.ts";

/** Requests after which memory is measured, at full scale. */
const REQUESTS = { first: 20_000, all: 200_000 } as const;
const GROWTH_MB = 50;
const INTERVAL_MS = 200;

/**
 * Sends 200,000 requests (× scale) to a new process of the product, reads every response, and checks that memory doesn't
 * keep growing and that exactly the responses are stored (V3).
 *
 * Memory varies with garbage collection far more than a leak of some bytes per request would add. But leaked memory is never
 * returned, so the check compares the minimum of the second half with the memory after 20,000 requests.
 */
export async function watchMemory(
  bench: Bench,
  contest: Contest,
  { database, client, file, faults }: { database: string; client: pg.Client; file: string; faults: string[] },
): Promise<Verdict> {
  const { environment, options, print } = bench;
  const share = Math.min(1, options.scale);
  const first = Math.max(500, Math.round(REQUESTS.first * share));
  const all = Math.max(1_000, Math.round(REQUESTS.all * share));
  const half = Math.round((all - first) / 2);
  const product = await startProduct(environment, database);
  try {
    const load = { port: product.port, path: contest.path, file, connections: options.connections };
    const before = await countStored(client, contest.kind);
    let valid = 0;
    const send = async (requests: number) => {
      const { asExpected } = await sendCounted(load, { requests, expected: '"code":"VALID"' });
      valid += asExpected;
    };
    await send(first);
    const early = readResidentMegabytes(product.pid);
    await send(all - first - half);
    const middle = readResidentMegabytes(product.pid);
    const late = await measureRange(
      () => send(half),
      () => readResidentMegabytes(product.pid),
    );
    const stored = (await countStored(client, contest.kind)) - before;
    print(`${stored} events stored for ${valid} VALID responses to ${all} requests`);
    if (stored !== valid || valid !== all)
      faults.push(`${contest.name}: ${all} requests got ${valid} VALID responses but ${stored} events are stored.`);
    const megabytes = [early, middle, late.low, late.high].map((value) => value.toFixed(0));
    print(
      `memory: ${megabytes[0]} MB after ${first} requests, ${megabytes[1]} MB after ${all - half}, then ${megabytes[2]} to ${megabytes[3]} MB until ${all}`,
    );
    return {
      name: `memory growth from ${first} to ${all} requests`,
      value: late.low - early,
      limit: { most: GROWTH_MB },
      unit: " MB",
      // A young process still grows after a few requests, and /proc exists only on Linux.
      isChecked: share === 1 && !Number.isNaN(early),
    };
  } finally {
    await product.stop();
  }
}

/** Returns the minimum and maximum of a value while `work` runs. */
async function measureRange(work: () => Promise<void>, measure: () => number): Promise<{ low: number; high: number }> {
  const seen = [measure()];
  const watch = setInterval(() => seen.push(measure()), INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return { low: Math.min(...seen), high: Math.max(...seen) };
}
