import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { BenchError } from "#tests/app/bench/options.ts";

/** What to send to whom: every line of `file` is the body of a POST. */
export interface Load {
  readonly port: number;
  readonly path: string;
  /** Connections that ask at the same time. */
  readonly connections: number;
  readonly file: string;
  readonly authorization?: string;
}

/** What came of it. */
export interface LoadResult {
  /** Those that count. */
  readonly requests: number;
  /** Those before, which made caches warm. */
  readonly warmUps: number;
  readonly seconds: number;
  /** Connections that broke and answers that were not 2xx. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What came of a load whose every answer was read. */
export interface CountedResult extends LoadResult {
  /** Answers that hold the text that was expected. */
  readonly asExpected: number;
}

/** Something that sends a load for a time. */
export interface LoadGenerator {
  readonly name: string;
  send(load: Load, seconds: number): Promise<LoadResult>;
}

/** `wrk` where it is installed, else our own in Node, which takes more of the processor for itself. */
export function findLoadGenerator(): LoadGenerator {
  if (isInstalled("wrk")) return { name: "wrk", send: sendWithWrk };
  return ownGenerator;
}

/** Ours, which can also send for less than a second. */
export const ownGenerator: LoadGenerator = {
  name: "Node",
  send: (load, seconds) => sendCounted(load, { seconds, expected: "" }),
};

/** Whether a command is on the PATH. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}

async function sendWithWrk(load: Load, seconds: number): Promise<LoadResult> {
  const { port, path, connections, file, authorization = "" } = load;
  const script = join(import.meta.dirname, "wrk.lua");
  const work = `--threads 1 --connections ${connections} --timeout 10s --duration ${Math.ceil(seconds)}s`;
  const asked = ["--script", script, `http://127.0.0.1:${port}`, "--", file, path, authorization];
  const output = await outputOf("wrk", [...work.split(" "), ...asked]);
  return { ...(lastJson(output) as LoadResult), warmUps: 0 };
}

/**
 * Sends with our own generator, in a process of its own, which reads every answer and stops only when the last one
 * has arrived: for when the number of answers matters.
 */
export async function sendCounted(
  load: Load,
  how: { requests?: number; seconds?: number; expected: string },
): Promise<CountedResult> {
  const program = join(import.meta.dirname, "send-load.ts");
  const asked = JSON.stringify({ ...load, ...how });
  // It imports nothing, and Node itself takes the types away: with a loader, starting would take longer than sending.
  const output = await outputOf(process.execPath, [program, asked]);
  return { ...(lastJson(output) as CountedResult), warmUps: 0 };
}

/** Runs a command to its end. @throws BenchError when it fails */
export function outputOf(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
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
  if (!line.startsWith("{")) throw new BenchError(`The load generator said nothing of its work: ${output.trim()}`);
  return JSON.parse(line);
}
