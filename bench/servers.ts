import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { findFreePort } from "#tests/support/free-port.ts";
import { waitUntilReady } from "#tests/support/server-process.ts";
import { folderFor, type BenchEnvironment } from "./environment.ts";
import { BenchError } from "./options.ts";

/** A server under test in a separate process. */
export interface BenchServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** Folder of the server's keys. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, "..");

const typescript = ["--import", pathToFileURL(join(root, "scripts/typescript.mjs")).href];

// Heap size of a small container. With more memory, V8 collects garbage so late that normal growth looks like a leak.
const smallHeap = "--max-old-space-size=256";

/**
 * Starts the bundle that `npm start` runs on a database, with sign-in, input validation, rate limits and production
 * logging (level info). NODE_ENV stays `development`, because production would use the real payment provider.
 */
export function startProduct(
  ground: BenchEnvironment,
  database: string,
  options: { profileInto?: string; rateLimits?: "off"; heap?: "as npm start" } = {},
): Promise<BenchServer> {
  const profiling = options.profileInto ? ["--cpu-prof", `--cpu-prof-dir=${options.profileInto}`] : [];
  const heap = options.heap ? [] : [smallHeap];
  const program = [...heap, ...profiling, "--enable-source-maps", "dist/server/server.js"];
  return start(ground, database, `product-${database}`, program, { RATE_LIMITS: options.rateLimits ?? "on" });
}

/** Starts the plain server the product is compared with. It signs with the product's keys. */
export function startPlainServer(
  ground: BenchEnvironment,
  database: string,
  keysOf: BenchServer,
): Promise<BenchServer> {
  const program = [...typescript, join(import.meta.dirname, "plain-server.ts")];
  return start(ground, database, "plain", program, { KEYS_DIR: keysOf.dataDir });
}

/** Starts PostGraphile on a database, without sign-in. */
export function startPostgraphile(ground: BenchEnvironment, database: string): Promise<BenchServer> {
  const program = [join(root, "bench/postgraphile/server.mjs")];
  // In development, PostGraphile runs expensive checks.
  return start(ground, database, "postgraphile", program, { NODE_ENV: "production", GRAPHILE_ENV: "production" });
}

/** Starts the plain Fastify server that only returns a hello response. */
export function startHelloServer(ground: BenchEnvironment): Promise<BenchServer> {
  const program = [...typescript, join(import.meta.dirname, "graphql", "hello-server.ts")];
  return start(ground, "postgres", "hello", program, { NODE_ENV: "production" });
}

async function start(
  ground: BenchEnvironment,
  database: string,
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const dataDir = folderFor(ground, name);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, "server.log");
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      NODE_ENV: "development",
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      DATABASE_URL: ground.getUrl(database),
      LOG_LEVEL: "info",
      // Production doesn't compare each response with its documentation.
      CHECK_RESPONSES: "off",
      // As with `npm start`, so that only the first start compiles the program.
      NODE_COMPILE_CACHE: folderFor(ground, "compiled"),
      ...env,
    },
    // The IPC channel ends the server if this process is killed.
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await Promise.race([
      waitUntilReady(url, 60_000),
      exited.then(() => {
        throw new BenchError(`The ${name} server ended: ${readFileSync(logFile, "utf8").slice(-2_000)}`);
      }),
    ]);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return { port, url, pid: child.pid ?? 0, dataDir, stop: () => stopServer(child, exited) };
}

async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  await Promise.race([exited, sleep(10_000, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await exited;
}
