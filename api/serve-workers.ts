import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { serveWorkerMetrics } from "./app/metrics-server.ts";
import { printStartupMessage } from "./app/startup-message.ts";
import { readConfig } from "./config.ts";
import { SECOND } from "./platform/clock.ts";
import { startEmbeddedPostgres } from "./platform/embedded/postgres.ts";
import { REPLACED, SERVING } from "./platform/lifecycle.ts";
import { createLog } from "./platform/observe/log.ts";

/**
 * Serves the product with several processes behind one port. A worker that ends is replaced. SIGTERM stops all of them,
 * and SIGHUP replaces one after another: each new one serves before the old one leaves.
 * @param count number of workers
 */
export async function serveWorkers(count: number): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  mkdirSync(config.dataDir, { recursive: true });
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres"), log: (message) => log.warn(message) });
  // Workers get the address of the embedded database, so that only this process starts and stops it.
  const env = embedded
    ? {
        DATABASE_URL: `postgres://${embedded.user}:${embedded.password}@${encodeURIComponent(embedded.host)}:${embedded.port}/${embedded.database}`,
      }
    : {};
  const metrics = await serveWorkerMetrics({ config, log });
  const fork = () => cluster.fork(env);
  const pool = keepWorkers(fork, log);

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

/** The workers of a process. */
interface WorkerPool {
  /** Starts workers, and waits until they serve. */
  start(count: number): Promise<void>;
  replaceAll(): Promise<void>;
  stop(): Promise<void>;
}

function keepWorkers(fork: () => Worker, log: Logger): WorkerPool {
  const workers = new Set<Worker>();
  let isStopping = false;
  let hasServed = false;
  let replacing = Promise.resolve();

  /** Starts a worker that is replaced if it ends, and waits until it serves or ends. */
  const start = async (): Promise<void> => {
    const worker = fork();
    workers.add(worker);
    worker.once("exit", (code: number | null, signal: string | null) => {
      if (!workers.delete(worker) || isStopping) return;
      // A wrong setting ends every worker. The first one has printed the reason.
      if (!hasServed) process.exit(code ?? 1);
      log.error({ worker: worker.process.pid, code, signal }, "a worker ended; starting another one");
      void sleep(SECOND).then(() => (isStopping ? undefined : start()));
    });
    await new Promise<void>((resolve) => {
      worker.on("message", (message) => {
        if (message !== SERVING) return;
        hasServed = true;
        resolve();
      });
      worker.once("exit", () => resolve());
    });
  };

  const replace = async (worker: Worker): Promise<void> => {
    await start();
    if (!workers.delete(worker) || isStopping) return;
    worker.send(REPLACED);
    await once(worker, "exit");
    log.info({ worker: worker.process.pid }, "a worker was replaced");
  };

  return {
    async start(count) {
      await Promise.all(Array.from({ length: count }, start));
    },
    replaceAll() {
      // A second signal waits for the first.
      replacing = replacing.then(async () => {
        const old = Array.from(workers);
        for (const worker of old) if (!isStopping) await replace(worker);
      });
      return replacing;
    },
    async stop() {
      isStopping = true;
      await Promise.all(
        [...workers].map(async (worker) => {
          if (worker.isDead()) return;
          worker.process.kill("SIGTERM");
          await once(worker, "exit");
        }),
      );
    },
  };
}
