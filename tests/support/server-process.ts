import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "vite";
import { findFreePort } from "./free-port.ts";
import { startProgram } from "./programs.ts";

/**
 * Builds the server that `npm start` runs, for tests of the bundle and of its speed. It is written inside the repository because it needs `node_modules`.
 * @param sourcemap whether to write source maps
 * @returns the folder of `server.js`, which the caller removes
 */
export async function buildServer({ sourcemap = false } = {}): Promise<string> {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(join(".cache", "server-"));
  const config = { configFile: "vite.server.config.ts", mode: "production", logLevel: "warn" } as const;
  await build({ ...config, build: { ssr: "api/server.ts", outDir: folder, sourcemap } });
  return folder;
}

/**
 * Starts the server in a separate process, for tests that kill it, on an unused port with a new data folder, and waits until it
 * is ready.
 * @param prepare fills the data folder first
 * @param waitUntilStarted waits until a started server can be used; by default until it is ready
 * @param args command and its options; by default `serve`
 * @param program name of the program in the folder of `buildPrograms`
 */
export async function startServerProcess(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = async () => {},
  waitUntilStarted: (url: string) => Promise<void> = waitUntilReady,
  args: readonly string[] = [],
  program = "server",
) {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-server-"));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  await prepare(dataDir);
  let child: ChildProcess;
  let log = "";

  const start = async () => {
    const settings = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "silent" };
    child = await startProgram(program, args, { env: { NODE_ENV: "development", ...settings, ...env } });
    child.stdout?.on("data", (text: Buffer) => (log += text.toString()));
    await waitUntilStarted(url);
  };
  const ended = () =>
    new Promise<void>((resolve) =>
      (child.exitCode ?? child.signalCode) === null ? child.once("exit", () => resolve()) : resolve(),
    );

  await start();
  return {
    url,
    dataDir,
    /** Process id of the running server. */
    get pid() {
      return child.pid ?? 0;
    },
    /** What the server has written to its log; nothing unless LOG_LEVEL is set. */
    get log() {
      return log;
    },
    /** Kills the server and waits until it has exited. */
    async kill() {
      child.kill("SIGKILL");
      await ended();
    },
    /** Starts the server again on the same data and port. */
    start,
    /** Stops the server as an operator would and removes its data. */
    async remove() {
      child.kill("SIGTERM");
      await ended();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns a function that waits until the address answers with success, and throws after `limitMs` real milliseconds. */
function createWait(path: string): (url: string, limitMs?: number) => Promise<void> {
  return async (url, limitMs = 60_000) => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < limitMs) {
      const response = await fetch(url + path).catch(() => null);
      if (response?.ok) return;
      await sleep(25);
    }
    throw new Error(`${path} did not answer with success within ${limitMs} ms`);
  };
}

/** Waits until the process runs, even if it isn't ready. */
export const waitUntilLive = createWait("/health/live");

/** Waits until the process is ready. */
export const waitUntilReady = createWait("/health/ready");

/** Waits until the process reaches the database. */
export const waitUntilDatabaseResponds = createWait("/health/database");
