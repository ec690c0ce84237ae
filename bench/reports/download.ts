import { spawn } from "node:child_process";
import type { ReportFormat } from "#schema/report.ts";
import { reportSettings } from "#api/staff/reports/report-client.ts";
import type { BenchEnvironment } from "#bench/environment.ts";
import { BenchError } from "#bench/options.ts";
import { readResidentMegabytes } from "#bench/processor-time.ts";
import type { BenchServer } from "#bench/servers.ts";

/** Measurements of a download. */
export interface Download {
  readonly bytes: number;
  readonly seconds: number;
  readonly firstByteMs: number;
  /** Peak memory of the server during the download in MB, or NaN if unknown. */
  readonly peakMegabytes: number;
}

const INTERVAL_MS = 50;

/** Downloads the report of all validations since a given day and discards it. */
export async function download(
  server: BenchServer,
  options: { authorization: string; format: ReportFormat; startDate: string },
  signal?: AbortSignal,
): Promise<Download> {
  const { authorization, ...report } = options;
  let peakMegabytes = readResidentMegabytes(server.pid);
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, readResidentMegabytes(server.pid));
  }, INTERVAL_MS);
  const started = performance.now();
  try {
    const response = await fetch(`${server.url}/v1/reports/download-report`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization, "accept-encoding": "identity" },
      body: JSON.stringify({ reportType: 6, endDate: "2099-12-31", ...report }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok || !response.body) throw new BenchError(`The report download returned status ${response.status}.`);
    let firstByteMs = Number.NaN;
    let bytes = 0;
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      if (bytes === 0) firstByteMs = performance.now() - started;
      bytes += part.length;
    }
    return { bytes, seconds: (performance.now() - started) / 1_000, firstByteMs, peakMegabytes };
  } finally {
    clearInterval(watch);
  }
}

/** Copies the same rows with psql, using the connection settings of a report. */
export async function copyByPsql(ground: BenchEnvironment, database: string, statement: string) {
  const { host, port, user, password } = ground;
  const commands = ["-qX", "-c", reportSettings, "-c", `copy (${statement}) to stdout (format csv)`];
  const started = performance.now();
  const psql = spawn("psql", commands, {
    env: {
      ...process.env,
      PGHOST: host,
      PGPORT: String(port),
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: database,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => psql.once("close", resolve));
  let bytes = 0;
  for await (const part of psql.stdout as AsyncIterable<Buffer>) bytes += part.length;
  if ((await ended) !== 0) throw new BenchError("psql could not copy the rows of a report.");
  return { bytes, seconds: (performance.now() - started) / 1_000 };
}
