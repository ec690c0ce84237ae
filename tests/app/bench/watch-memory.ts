import type pg from "pg";
import type { Contest } from "./contests.ts";
import { countStored } from "./data.ts";
import { sendCounted } from "./load/load.ts";
import { residentMegabytes } from "./processor-time.ts";
import type { Verdict } from "./report.ts";
import { startProduct } from "./servers.ts";
import type { Bench } from "./suite.ts";

/** Requests after which memory is looked at, at full scale. */
const REQUESTS = { first: 20_000, all: 200_000 } as const;
const GROWTH_MB = 50;
const LOOK_MS = 200;

/**
 * Sends a fresh process of the product 200,000 questions (× scale), reads every answer, and looks whether its memory
 * goes on growing and whether exactly the answers are stored (V3).
 *
 * Memory rises and falls with the garbage collector by far more than a leak of some bytes a request would add. What a
 * leak adds is never given back: so it is the lowest of the second half that counts, against that after 20,000.
 */
export async function watchMemory(
  bench: Bench,
  contest: Contest,
  { database, client, file, faults }: { database: string; client: pg.Client; file: string; faults: string[] },
): Promise<Verdict> {
  const { ground, options, say } = bench;
  const share = Math.min(1, options.scale);
  const first = Math.max(500, Math.round(REQUESTS.first * share));
  const all = Math.max(1_000, Math.round(REQUESTS.all * share));
  const half = Math.round((all - first) / 2);
  const product = await startProduct(ground, database, { from: bench.product });
  try {
    const load = { port: product.port, path: contest.path, file, connections: options.connections };
    const before = await countStored(client, contest.kind);
    let valid = 0;
    const send = async (requests: number) => {
      const { asExpected } = await sendCounted(load, { requests, expected: '"code":"VALID"' });
      valid += asExpected;
    };
    await send(first);
    const early = residentMegabytes(product.pid);
    await send(all - first - half);
    const middle = residentMegabytes(product.pid);
    const late = await rangeDuring(
      () => send(half),
      () => residentMegabytes(product.pid),
    );
    const stored = (await countStored(client, contest.kind)) - before;
    say(`${stored} stored for ${valid} answers VALID of ${all}, each of them read`);
    if (stored !== valid || valid !== all)
      faults.push(`${contest.name}: of ${all} questions ${valid} were answered VALID and ${stored} are stored.`);
    const megabytes = [early, middle, late.low, late.high].map((value) => value.toFixed(0));
    say(
      `memory: ${megabytes[0]} MB after ${first} requests, ${megabytes[1]} MB after ${all - half}, then ${megabytes[2]} to ${megabytes[3]} MB until ${all}`,
    );
    return {
      name: `memory kept after ${all} requests, above that after ${first}`,
      value: late.low - early,
      bar: { most: GROWTH_MB },
      unit: " MB",
      // A young process is still making room for itself after a few requests; and there is /proc on Linux alone.
      judged: share === 1 && !Number.isNaN(early),
    };
  } finally {
    await product.stop();
  }
}

/** The lowest and the highest of a value while something is done. */
async function rangeDuring(work: () => Promise<void>, look: () => number): Promise<{ low: number; high: number }> {
  const seen = [look()];
  const watch = setInterval(() => seen.push(look()), LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return { low: Math.min(...seen), high: Math.max(...seen) };
}
