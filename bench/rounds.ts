import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { LoadResult } from "./load/load.ts";
import { BenchError, type BenchOptions } from "./options.ts";
import { shuffle } from "./population.ts";
import {
  getParentPid,
  readProcessorSeconds,
  readProcessorSecondsOfEndedChildren,
  readProcessorSecondsWithChildren,
} from "./processor-time.ts";

/** A server or tool whose work is measured. */
export interface Contender {
  readonly name: string;
  /** Process of the server, or null if the contender uses PostgreSQL directly. */
  readonly pid: number | null;
  /** Connection to the contender's database, to count statements. */
  readonly database: pg.Client;
  /** Runs for the given number of seconds. Calls `begin` when the measurement starts, immediately or after a warm-up. */
  readonly run: (seconds: number, begin: () => void) => Promise<LoadResult>;
}

/** Result of a contender in a round. */
export interface Sample extends LoadResult {
  readonly perSecond: number;
  /** Processor time per request in µs: the server, PostgreSQL with its backends, and the load generator. */
  readonly serverMicros: number;
  readonly postgresMicros: number;
  readonly generatorMicros: number;
  /** Statements per request, as counted by pg_stat_statements. */
  readonly statements: number;
}

/** Median with its quartiles. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/**
 * PostgreSQL counts as idle when `looks` consecutive checks, `apartMs` apart, find no running statement. Waiting for that
 * fails after `longestMs`.
 */
const REST = { looks: 4, apartMs: 20, longestMs: 120_000 } as const;

/**
 * Measures the contenders. Every round runs each of them once in a random order, so that a busy moment or a warm cache favours none.
 * A run starts when PostgreSQL has finished the work of the previous one. An initial run of each contender warms up and doesn't
 * count.
 */
export async function runRounds(
  contenders: readonly Contender[],
  { rounds, seconds }: Pick<BenchOptions, "rounds" | "seconds">,
  progress: (text: string) => void,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const contender of shuffle(contenders)) {
      const sample = await measure(contender, seconds);
      const waitedSeconds = await waitUntilIdle(contender);
      if (waitedSeconds >= 1)
        progress(`${contender.name}: ${waitedSeconds.toFixed(1)} s until its statements finished`);
      if (round > 0) samples.get(contender.name)?.push(sample);
    }
    progress(round === 0 ? "warmed up" : `round ${round} of ${rounds}`);
  }
  return samples;
}

/**
 * Waits until PostgreSQL is idle.
 * A load generator stops when its time has elapsed, but its requests continue in PostgreSQL. For example, 64 counts of a million
 * rows keep the processor busy for seconds and would slow the next contender.
 * @returns seconds waited
 * @throws BenchError if it takes more than two minutes
 */
async function waitUntilIdle({ name, database }: Contender): Promise<number> {
  const startedAt = Date.now();
  for (let looks = 0; looks < REST.looks; await sleep(REST.apartMs)) {
    const { rowCount } = await database.query(
      `select from pg_stat_activity
        where state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    looks = rowCount ? 0 : looks + 1;
    if (Date.now() - startedAt > REST.longestMs)
      throw new BenchError(`The statements of ${name} still run after two minutes.`);
  }
  return (Date.now() - startedAt) / 1_000;
}

async function measure({ pid, database, run }: Contender, seconds: number): Promise<Sample> {
  const { rows } = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postgres = getParentPid(rows[0]?.pid ?? 0);
  await database.query("select pg_stat_statements_reset()");
  const readUsed = () => [
    pid === null ? 0 : readProcessorSeconds(pid),
    readProcessorSecondsWithChildren(postgres),
    readProcessorSecondsOfEndedChildren(),
  ];
  let before = readUsed();
  const result = await run(seconds, () => {
    before = readUsed();
  });
  const [serverMicros = 0, postgresMicros = 0, generatorMicros = 0] = readUsed().map(
    (value, index) => ((value - (before[index] ?? 0)) * 1e6) / result.requests,
  );
  const { rows: counted } = await database.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        -- The job queue polls independently of requests.
        and query not like '%pgboss%'`,
  );
  return {
    ...result,
    perSecond: result.requests / result.seconds,
    serverMicros,
    postgresMicros,
    generatorMicros,
    statements: (counted[0]?.calls ?? 0) / (result.warmUps + result.requests),
  };
}

/** Calculates the median and quartiles of numbers, interpolated between neighbours. */
export function calculateSpread(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)] ?? Number.NaN;
    const above = sorted[Math.ceil(place)] ?? Number.NaN;
    return below + (above - below) * (place - Math.floor(place));
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** Calculates the ratio between two contenders in each round. */
export function calculateRatios(above: readonly Sample[], below: readonly Sample[]): Spread {
  return calculateSpread(above.map(({ perSecond }, round) => perSecond / (below[round]?.perSecond ?? Number.NaN)));
}
