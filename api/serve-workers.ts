import cluster, { type Worker } from "node:cluster";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { getEmbeddedAddress, startEmbedded } from "./app/database.ts";
import { serveWorkerMetrics } from "./app/metrics-server.ts";
import { printStartupMessage } from "./app/startup-message.ts";
import { readConfig } from "./config.ts";
import { SECOND } from "./platform/clock.ts";
import type { DatabaseAddress } from "./platform/database/database.ts";
import { REPLACED, SERVING } from "./platform/lifecycle.ts";
import { createLog } from "./platform/observe/log.ts";
import { makeFolder } from "#api/platform/files/make-folder.ts";

/** Time after draining in which a replaced worker has to end, in milliseconds. It is killed if it hangs. */
const LEAVE_MS = 30 * SECOND;

/**
 * Serves the product with several processes behind one port. A worker that ends is replaced. SIGTERM stops all of them,
 * and SIGHUP replaces one after another: each new one serves before the old one leaves. If a new one doesn't start, the old
 * ones go on. A second SIGHUP ends a new one that neither serves nor ends, and starts over.
 * @param count number of workers
 */
export async function serveWorkers(count: number): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  makeFolder(config.dataDir);
  // A worker that is replaced and the new one are connected at the same time.
  const embedded = config.databaseUrl ? null : await startEmbedded(config, log, count + 1);
  // Workers get the address of the embedded database, so that only this process starts and stops it.
  const env = embedded ? buildEnvironment(await getEmbeddedAddress(embedded)) : {};
  const fork = () => cluster.fork(env);
  const pool = keepWorkers(fork, log, config.operations.drainSeconds * SECOND + LEAVE_MS);
  const metrics = await serveWorkerMetrics({ config, log }, pool.isServing);

  process.on("SIGHUP", () => void pool.replaceAll());
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await pool.stop();
    await metrics?.close();
    await embedded?.stop();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "disconnect"]) process.on(signal, () => void stop());

  // The first worker migrates the database and fills a new one, which the others would wait for.
  await pool.start(1);
  await pool.start(count - 1);
  if (!isStopping) printStartupMessage(config);
}

function buildEnvironment({ owner, ...app }: DatabaseAddress): Record<string, string> {
  return { DATABASE_URL: toUrl(app), ...(owner ? { DATABASE_OWNER_URL: toUrl(owner) } : {}) };
}

function toUrl(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  const { host, port, user, password, dbName } = address;
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${dbName}`;
}

/** The workers of a process. */
interface WorkerPool {
  /** Starts workers, and waits until they serve. */
  start(count: number): Promise<void>;
  replaceAll(): Promise<void>;
  /** Returns whether a worker serves. */
  readonly isServing: () => boolean;
  stop(): Promise<void>;
}

/** Waits until a worker ends. `once` of Node would throw if a message to it is lost meanwhile, which is an error event. */
const waitForEnd = (worker: Worker) => new Promise<void>((resolve) => worker.once("exit", () => resolve()));

/** @param leaveMs longest wait for a replaced worker to end, in milliseconds */
function keepWorkers(fork: () => Worker, log: Logger, leaveMs: number): WorkerPool {
  const workers = new Set<Worker>();
  const serving = new Set<Worker>();
  let isStopping = false;
  let hasServed = false;
  let replacing = Promise.resolve();
  let replacement: Worker | null = null;

  /**
   * Starts a worker and waits until it serves, or ends before it does (false). A worker that ends is replaced, but not one
   * that never served as the replacement of another: the other one stays. Starts none while the process stops.
   */
  const start = async (isReplacement = false): Promise<boolean> => {
    if (isStopping) return false;
    const worker = fork();
    workers.add(worker);
    if (isReplacement) replacement = worker;
    let serves = false;
    worker.on("error", (error: Error) => {
      if (worker.process.pid === undefined) throw error;
      // It was killed a moment ago, and its exit follows.
      log.warn({ worker: worker.process.pid, err: error }, "a message to a worker was lost");
    });
    worker.once("exit", (code: number | null, signal: string | null) => {
      serving.delete(worker);
      if (!workers.delete(worker) || isStopping) return;
      // A wrong setting ends every worker. The first one has printed the reason.
      if (!hasServed) process.exit(code ?? 1);
      if (isReplacement && !serves) return;
      log.error({ worker: worker.process.pid, code, signal }, "a worker ended; starting another one");
      void sleep(SECOND).then(() => start());
    });
    return new Promise((resolve) => {
      worker.on("message", (message) => {
        if (message !== SERVING) return;
        hasServed = true;
        serves = true;
        serving.add(worker);
        resolve(true);
      });
      worker.once("exit", () => resolve(false));
    });
  };

  /** Returns false where the new worker didn't start. */
  const replace = async (worker: Worker): Promise<boolean> => {
    const serves = await start(true);
    replacement = null;
    if (!serves) return false;
    if (!workers.delete(worker) || isStopping) return true;
    worker.send(REPLACED);
    const limit = setTimeout(() => worker.process.kill("SIGKILL"), leaveMs);
    await waitForEnd(worker);
    clearTimeout(limit);
    log.info({ worker: worker.process.pid }, "a worker was replaced");
    return true;
  };

  return {
    async start(count) {
      await Promise.all(Array.from({ length: count }, () => start()));
    },
    replaceAll() {
      replacement?.process.kill("SIGKILL");
      replacing = replacing.then(async () => {
        for (const worker of Array.from(workers)) {
          if (isStopping) return;
          if (await replace(worker)) continue;
          if (!isStopping) log.error("a new worker did not start; the old ones go on");
          return;
        }
      });
      return replacing;
    },
    isServing: () => serving.size > 0,
    async stop() {
      isStopping = true;
      await Promise.all(
        [...workers].map(async (worker) => {
          if (worker.isDead()) return;
          worker.process.kill("SIGTERM");
          await waitForEnd(worker);
        }),
      );
    },
  };
}
