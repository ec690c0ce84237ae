import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findFreePort } from "#tests/support/free-port.ts";
import { waitUntilReady } from "#tests/support/server-process.ts";

/** One process of the product. */
export interface Portal {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Creates a folder that is removed when this process ends, such as the one that all processes of a scenario share. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "portal-operations-files-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Creates a process that runs the built server in `bundle`. It isn't started yet.
 * @param env more settings. `LOG_FILE` is a file to which the log is added.
 */
export async function createPortal(
  bundle: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Portal> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let isWanted = false;
  const log = env["LOG_FILE"] ? openSync(env["LOG_FILE"], "a") : "ignore";
  process.once("exit", () => child?.kill("SIGKILL"));
  /** Starts the process, and again whenever it ends without being stopped or killed, as systemd and containers do. */
  const run = (): void => {
    child = spawn(process.execPath, [join(bundle, "server.js")], {
      env: {
        ...process.env,
        NODE_ENV: "development",
        PORT: String(port),
        // Tokens name the address as their issuer, so all processes must have the same.
        PUBLIC_URL: "http://portal.test",
        DATA_DIR: dataDir,
        RATE_LIMITS: "off",
        LOG_LEVEL: process.env["OPERATIONS_LOG"] ?? "silent",
        DRAIN_SECONDS: "5",
        ...env,
      },
      stdio: ["ignore", log, "inherit"],
    });
    const started = child;
    const restart = () => isWanted && child === started && run();
    child.once("exit", () => setTimeout(restart, 1_000).unref());
  };
  const ended = async () => {
    if (child && (child.exitCode ?? child.signalCode) === null) await once(child, "exit");
  };
  return {
    url,
    port,
    async start() {
      isWanted = true;
      run();
      await waitUntilReady(url, 240_000);
    },
    async stop() {
      isWanted = false;
      child?.kill("SIGTERM");
      await ended();
    },
    async kill() {
      isWanted = false;
      child?.kill("SIGKILL");
      await ended();
    },
  };
}
