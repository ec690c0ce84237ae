import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { BenchError } from "#bench/options.ts";

/** A load to send. Every line in `file` is the body of a POST request. */
export interface Load {
  readonly port: number;
  readonly path: string;
  /** Number of concurrent connections. */
  readonly connections: number;
  readonly file: string;
  readonly authorization?: string;
}

export interface LoadResult {
  /** Number of requests in the measurement. */
  readonly requests: number;
  /** Number of requests sent before the measurement, to warm up caches. */
  readonly warmUps: number;
  readonly seconds: number;
  /** Number of broken connections and responses other than 2xx. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Result of a load that checks every response. */
export interface CountedResult extends LoadResult {
  /** Number of responses that contain the expected text. */
  readonly asExpected: number;
}

/** Tool that sends a load for a given time. */
export interface LoadGenerator {
  readonly name: string;
  send(load: Load, seconds: number): Promise<LoadResult>;
}

/** Returns `wrk` if it is installed, otherwise our generator in Node, which uses more processor time. */
export function findLoadGenerator(): LoadGenerator {
  if (isInstalled("wrk")) return { name: "wrk", send: sendWithWrk };
  return { name: "Node", send: (load, seconds) => sendCounted(load, { seconds, expected: "" }) };
}

/** Returns whether a command is on the PATH. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}

async function sendWithWrk(load: Load, seconds: number): Promise<LoadResult> {
  const { port, path, connections, file, authorization = "" } = load;
  const script = join(import.meta.dirname, "wrk.lua");
  const work = `--threads 1 --connections ${connections} --timeout 10s --duration ${Math.ceil(seconds)}s`;
  const args = ["--script", script, `http://127.0.0.1:${port}`, "--", file, path, authorization];
  const output = await runCommand("wrk", [...work.split(" "), ...args]);
  return { ...(lastJson(output) as LoadResult), warmUps: 0 };
}

/**
 * Sends a load with our generator in a separate process, which reads every response and stops only after the last one. Used when the
 * number of responses matters.
 */
export async function sendCounted(
  load: Load,
  how: { requests?: number; seconds?: number; expected: string },
): Promise<CountedResult> {
  const program = join(import.meta.dirname, "send-load.ts");
  const args = JSON.stringify({ ...load, ...how });
  // The script imports nothing at runtime and Node strips its types, because a loader would take longer than sending.
  const output = await runCommand(process.execPath, [program, args]);
  return { ...(lastJson(output) as CountedResult), warmUps: 0 };
}

/** Runs a command and returns its output. @throws BenchError if the command fails */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let output = "";
    let faults = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      faults += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new BenchError(`${command} ended with ${code}: ${(faults || output).trim().slice(-2_000)}`));
    });
  });
}

function lastJson(output: string): unknown {
  const line = output.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new BenchError(`The load generator printed no result: ${output.trim()}`);
  return JSON.parse(line);
}
