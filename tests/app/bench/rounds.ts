import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { LoadResult } from "./load/load.ts";
import { BenchError, type BenchOptions } from "./options.ts";
import { shuffled } from "./population.ts";
import { parentOf, processorSeconds, processorSecondsOfEnded, processorSecondsOfFamily } from "./processor-time.ts";

/** Somebody who does the work that is measured. */
export interface Contender {
  readonly name: string;
  /** Process of the server that does it; null when PostgreSQL is asked directly. */
  readonly pid: number | null;
  /** Connection to the database it works on, to count statements. */
  readonly database: pg.Client;
  /** Works for so long; `begin` is called when what counts begins, at once or after warming up. */
  readonly run: (seconds: number, begin: () => void) => Promise<LoadResult>;
}

/** What one contender did in one round. */
export interface Sample extends LoadResult {
  readonly perSecond: number;
  /** Processor time a request, in µs: of its server, of PostgreSQL with all its backends, of the load generator. */
  readonly serverMicros: number;
  readonly postgresMicros: number;
  readonly generatorMicros: number;
  /** Statements a request, as pg_stat_statements counted them. */
  readonly statements: number;
}

/** Median with the quartiles around it. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** PostgreSQL is at rest when so many looks in a row, so far apart, find no statement under way. */
const REST = { looks: 4, apartMs: 20, longestMs: 120_000 } as const;

/**
 * Measures the contenders against each other: in every round each runs once, in another order, so that a busy moment
 * or a warm cache favours none of them, and begins when what the one before it had left unfinished is done. One run of
 * each before that does not count, unless it is left out.
 */
export async function runRounds(
  contenders: readonly Contender[],
  { rounds, seconds, warmUp }: Pick<BenchOptions, "rounds" | "seconds" | "warmUp">,
  progress: (text: string) => void,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const contender of shuffled(contenders)) {
      const sample = await measure(contender, seconds);
      const leftOver = await untilAtRest(contender);
      if (leftOver >= 1) progress(`${contender.name}: ${leftOver.toFixed(1)} s until all it had asked for was done`);
      if (round > 0) samples.get(contender.name)?.push(sample);
    }
    progress(round === 0 ? "warmed up" : `round ${round} of ${rounds}`);
  }
  return samples;
}

/**
 * A load generator goes when its time is over; what it had asked for goes on: 64 requests that wait for counts of a
 * million rows keep the processor busy for seconds, at the cost of whoever comes next.
 * @returns seconds
 * @throws BenchError when that takes more than two minutes
 */
async function untilAtRest({ name, database }: Contender): Promise<number> {
  const beganAt = Date.now();
  for (let looks = 0; looks < REST.looks; await sleep(REST.apartMs)) {
    const { rowCount } = await database.query(
      `select from pg_stat_activity
        where state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    looks = rowCount ? 0 : looks + 1;
    if (Date.now() - beganAt > REST.longestMs)
      throw new BenchError(`What ${name} had asked for is not done after two minutes.`);
  }
  return (Date.now() - beganAt) / 1_000;
}

async function measure({ pid, database, run }: Contender, seconds: number): Promise<Sample> {
  const { rows } = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postgres = parentOf(rows[0]?.pid ?? 0);
  await database.query("select pg_stat_statements_reset()");
  const used = () => [
    pid === null ? 0 : processorSeconds(pid),
    processorSecondsOfFamily(postgres),
    processorSecondsOfEnded(),
  ];
  let before = used();
  const result = await run(seconds, () => {
    before = used();
  });
  const [serverMicros = 0, postgresMicros = 0, generatorMicros = 0] = used().map(
    (value, index) => ((value - (before[index] ?? 0)) * 1e6) / result.requests,
  );
  const { rows: counted } = await database.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        -- The job queue looks for work whether anybody asks or not.
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

/** Median and quartiles of numbers, between neighbours where none stands there. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)] ?? Number.NaN;
    const above = sorted[Math.ceil(place)] ?? Number.NaN;
    return below + (above - below) * (place - Math.floor(place));
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** The ratios of two contenders, round by round. */
export function ratiosOf(above: readonly Sample[], below: readonly Sample[]): Spread {
  return spreadOf(above.map(({ perSecond }, round) => perSecond / (below[round]?.perSecond ?? Number.NaN)));
}
