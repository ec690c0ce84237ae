import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFor, type Ground } from "#tests/app/bench/ground.ts";
import { BenchError } from "#tests/app/bench/options.ts";
import { type LoadResult, outputOf } from "./load.ts";

/**
 * Seconds before what counts. Each run makes connections of its own, and each of those plans the statement five times
 * and reads the catalogue before it is as quick as the connections that a server keeps.
 */
const WARM_UP_SECONDS = 3;

/** How to install what is missing. */
export const missingPgbench =
  "pgbench is not installed. It comes with PostgreSQL's client programs: apt-get install postgresql-client-15 postgresql-contrib (Debian), brew install postgresql (macOS).";

/**
 * Writes a statement as a script for pgbench. Its one parameter is read from `bench.questions`, for pgbench cannot
 * hold texts; what that look-up costs, it saves by not sending the text.
 */
export function pgbenchScript(statement: string, questions: number): string {
  if (/\$[2-9]/.test(statement)) throw new BenchError("The statement must have one parameter.");
  if (/(?<!:):[A-Za-z_]/.test(statement))
    throw new BenchError("pgbench would take a part of the statement for a name.");
  const asked = statement.replaceAll("$1", "(select question from bench.questions where n = :n)");
  return `\\set n random(1, ${questions})\n${asked.trim()};\n`;
}

/**
 * Runs a script with so many clients, each of which prepares its statement once, and counts what they did when warm.
 */
export async function runPgbench(
  ground: Ground,
  database: string,
  script: string,
  { clients, seconds, warmUp, begin }: { clients: number; seconds: number; warmUp: boolean; begin: () => void },
): Promise<LoadResult> {
  const folder = folderFor(ground, "pgbench");
  const file = join(folder, "script.sql");
  writeFileSync(file, script);
  const { host, port, user, password } = ground;
  const warmUpSeconds = warmUp ? WARM_UP_SECONDS : 0;
  const time = warmUpSeconds + Math.ceil(seconds);
  const work = `--no-vacuum --protocol=prepared --client=${clients} --jobs=1 --time=${time}`;
  const server = ["--host", host, "--port", String(port), "--username", user];
  let begunAt = Number.POSITIVE_INFINITY;
  const timer = setTimeout(() => {
    begunAt = Date.now();
    begin();
  }, warmUpSeconds * 1_000);
  const output = await outputOf(
    "pgbench",
    [...work.split(" "), "--log", `--log-prefix=${join(folder, "log")}`, ...server, "--file", file, database],
    password ? { PGPASSWORD: password } : {},
  ).finally(() => clearTimeout(timer));
  const all = Number(/number of transactions actually processed: (\d+)/.exec(output)?.[1]);
  const errors = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0);
  const done = readLogs(folder).filter(({ endedAt }) => endedAt >= begunAt);
  const times = done.map(({ took }) => took).sort((a, b) => a - b);
  if (times.length === 0) throw new BenchError(`pgbench did nothing: ${output}`);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const lastAt = done.reduce((last, { endedAt }) => Math.max(last, endedAt), 0);
  return {
    requests: times.length,
    warmUps: all - times.length,
    seconds: (lastAt - begunAt) / 1_000,
    errors,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  };
}

/**
 * The transactions of a run, in milliseconds: a line has client, number, time in µs, script, seconds, µs of its end.
 */
function readLogs(folder: string): { took: number; endedAt: number }[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith("log."));
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  for (const name of logs) rmSync(join(folder, name));
  return lines.map((line) => {
    const [, , took = Number.NaN, , seconds = 0, micros = 0] = line.split(" ").map(Number);
    return { took: took / 1_000, endedAt: seconds * 1_000 + micros / 1_000 };
  });
}
