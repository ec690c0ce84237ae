import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFor, type Ground } from "#tests/bench/ground.ts";
import { BenchError } from "#tests/bench/options.ts";
import { type LoadResult, outputOf } from "./load.ts";

/** Share of the transactions whose times are written down. */
const SAMPLED = 0.1;

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

/** Runs a script with so many clients, each of which prepares its statement once. */
export async function runPgbench(
  ground: Ground,
  database: string,
  script: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<LoadResult> {
  const folder = folderFor(ground, "pgbench");
  const file = join(folder, "script.sql");
  writeFileSync(file, script);
  const { host, port, user, password } = ground;
  const work = `--no-vacuum --protocol=prepared --client=${clients} --jobs=1 --time=${Math.ceil(seconds)}`;
  const log = ["--log", `--sampling-rate=${SAMPLED}`, `--log-prefix=${join(folder, "log")}`];
  const server = ["--host", host, "--port", String(port), "--username", user];
  const output = await outputOf(
    "pgbench",
    [...work.split(" "), ...log, ...server, "--file", file, database],
    password ? { PGPASSWORD: password } : {},
  );
  const requests = Number(/number of transactions actually processed: (\d+)/.exec(output)?.[1]);
  const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!(requests > 0) || !(rate > 0)) throw new BenchError(`pgbench did nothing: ${output}`);
  const errors = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0);
  return { requests, seconds: requests / rate, errors, ...readTimes(folder) };
}

/** Median and 99th percentile of the sampled transactions; their time in µs is the third word of a line. */
function readTimes(folder: string): { p50Ms: number; p99Ms: number } {
  const logs = readdirSync(folder).filter((name) => name.startsWith("log."));
  const times = logs
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => Number(line.split(" ")[2]) / 1_000)
    .sort((a, b) => a - b);
  for (const name of logs) rmSync(join(folder, name));
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}
