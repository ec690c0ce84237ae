import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFor, type BenchEnvironment } from "#bench/environment.ts";
import { BenchError } from "#bench/options.ts";
import { type LoadResult, runCommand } from "./load.ts";

/**
 * Warm-up time before the measurement. Each run opens new connections. A new connection plans the statement five times and
 * reads the catalogue before it is as fast as a server's long-lived connections.
 */
const WARM_UP_SECONDS = 3;

/** Error message that says how to install pgbench. */
export const missingPgbench =
  "pgbench is not installed. It comes with PostgreSQL's client programs: apt-get install postgresql-client-15 postgresql-contrib (Debian), brew install postgresql (macOS).";

/**
 * Writes a statement as a pgbench script. The script reads the parameter from `bench.questions`, because pgbench variables can't
 * contain texts. The lookup costs time but saves sending the text.
 */
export function pgbenchScript(statement: string, questions: number): string {
  if (/\$[2-9]/.test(statement)) throw new BenchError("The statement must have one parameter.");
  if (/(?<!:):[A-Za-z_]/.test(statement))
    throw new BenchError("pgbench would read a part of the statement as a variable.");
  const sql = statement.replaceAll("$1", "(select question from bench.questions where n = :n)");
  return `\\set n random(1, ${questions})\n${sql.trim()};\n`;
}

/** Runs a script with several clients and counts their transactions after the warm-up. Each client prepares the statement once. */
export async function runPgbench(
  ground: BenchEnvironment,
  database: string,
  script: string,
  { clients, seconds, begin }: { clients: number; seconds: number; begin: () => void },
): Promise<LoadResult> {
  const folder = folderFor(ground, "pgbench");
  const file = join(folder, "script.sql");
  writeFileSync(file, script);
  const { host, port, user, password } = ground;
  const time = WARM_UP_SECONDS + Math.ceil(seconds);
  const work = `--no-vacuum --protocol=prepared --client=${clients} --jobs=1 --time=${time}`;
  const server = ["--host", host, "--port", String(port), "--username", user];
  let begunAt = Number.POSITIVE_INFINITY;
  const timer = setTimeout(() => {
    begunAt = Date.now();
    begin();
  }, WARM_UP_SECONDS * 1_000);
  const output = await runCommand(
    "pgbench",
    [...work.split(" "), "--log", `--log-prefix=${join(folder, "log")}`, ...server, "--file", file, database],
    password ? { PGPASSWORD: password } : {},
  ).finally(() => clearTimeout(timer));
  const all = Number(/number of transactions actually processed: (\d+)/.exec(output)?.[1]);
  const errors = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0);
  const done = readLogs(folder).filter(({ endedAt }) => endedAt >= begunAt);
  const times = done.map(({ took }) => took).sort((a, b) => a - b);
  if (times.length === 0) throw new BenchError(`pgbench ran no transactions: ${output}`);
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

/** Reads the transactions of a run, with times in milliseconds. A log line has client, number, duration in µs, script, and the end in seconds and µs. */
function readLogs(folder: string): { took: number; endedAt: number }[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith("log."));
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  for (const name of logs) rmSync(join(folder, name));
  return lines.map((line) => {
    const [, , took = Number.NaN, , seconds = 0, micros = 0] = line.split(" ").map(Number);
    return { took: took / 1_000, endedAt: seconds * 1_000 + micros / 1_000 };
  });
}
