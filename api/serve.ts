import type { FastifyInstance } from "fastify";
import cluster from "node:cluster";
import { Server } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { createApp } from "./app.ts";
import { getConfiguredAddress, getEmbeddedAddress, prepareSchema, startEmbedded } from "#api/app/database.ts";
import { type MetricsServer, publishMetrics } from "#api/app/metrics-server.ts";
import { closeServices, connectServices, createServices } from "#api/app/services.ts";
import { readConfig } from "./config.ts";
import { createClock, createMovableClock, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import type { Services } from "#api/platform/context.ts";
import { REPLACED, SERVING, STOP_WAIT_MS } from "#api/platform/lifecycle.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import type { EmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import type { MigrationReport } from "#api/platform/database/migrate.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { startTracing, stopTracing } from "#api/platform/observe/tracing.ts";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";
import { makeFolder } from "#api/platform/files/make-folder.ts";

type DevPayments = import("./dev/dev-payments.ts").DevPayments;

/** The parts of a running process, in the order in which they stop. */
interface Running {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly devPayments: DevPayments | null;
  readonly embedded: EmbeddedPostgres | null;
  readonly metrics: MetricsServer | null;
}

/**
 * Starts one process of the product, from reading the settings to serving calls. It serves pages and `/health` while the
 * database is unavailable, and calls as soon as the database responds and has every migration.
 */
export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  makeFolder(config.dataDir);
  await startTracing(config);
  const embedded = config.databaseUrl ? null : await startEmbedded(config, log, 1);
  const address = await getAddress(config, embedded);
  const clock = config.production ? createClock() : createMovableClock();
  const devPayments = config.stripe || config.production ? null : await startDevPayments(address, { clock, log });
  const services = await createServices(config, address, { log, clock }, devPayments ?? {});
  const app = await createApp(services, devPayments);
  const metrics = await publishMetrics(services);
  stopOnSignal({ app, services, devPayments, embedded, metrics });

  const listen = () => app.listen({ port: config.port, host: config.host });
  // While other workers serve, a new one gets no connection before it can answer it.
  const isLate = (cluster.worker?.id ?? 1) > 1;
  if (!isLate) await listen();
  await retryUntilDatabaseResponds(services, () => prepareSchema(config, address, logMigrations(log)));
  await retryUntilDatabaseResponds(services, () => connectServices(services));
  if (!config.production) await fillDemoData(services, devPayments);
  if (isLate) await listen();
  services.lifecycle.serve();
  // The wildcard addresses include loopback.
  const host = ["0.0.0.0", "::", "localhost"].includes(config.host) ? "127.0.0.1" : config.host;
  devPayments?.sendWebhooksTo(`http://${host.includes(":") ? `[${host}]` : host}:${config.port}`);
  if (cluster.worker) cluster.worker.send(SERVING);
  else (await import("./app/startup-message.ts")).printStartupMessage(config);
}

function logMigrations(log: Logger): MigrationReport {
  return {
    applied: (migration, ms) => log.info({ migration, ms: Math.round(ms) }, "migration applied"),
    waiting: (migration, attempt) =>
      log.warn({ migration, attempt }, "a migration waits for another transaction; trying again"),
  };
}

async function getAddress(config: Config, embedded: EmbeddedPostgres | null): Promise<DatabaseAddress> {
  return embedded ? getEmbeddedAddress(embedded) : (getConfiguredAddress(config) ?? { url: "" });
}

async function fillDemoData(services: Services, devPayments: DevPayments | null): Promise<void> {
  const demo = await import("./dev/demo-data.ts");
  const { linkDemoSubscriptions } = await import("./dev/demo/link-subscriptions.ts");
  await demo.fillDemoData(services);
  if (devPayments) await linkDemoSubscriptions(services, devPayments);
}

/**
 * Stops the process on SIGTERM and SIGINT, and when its launcher ends. It first drains: for `DRAIN_SECONDS` it serves
 * requests but isn't ready, so that load balancers stop sending new ones. Ctrl-C ends the draining.
 */
function stopOnSignal(running: Running): void {
  const { lifecycle, config, log } = running.services;
  const skipDraining = new AbortController();
  let stopping: Promise<void> | undefined;
  const end = (): void => process.exit(0);
  const fail = (error: unknown): void => {
    log.error({ err: error }, "stopping failed");
    process.exit(1);
  };
  const stop = (why: string): void => {
    // A supervisor may send SIGTERM twice: itself, and through npm.
    if (stopping) return why === "SIGINT" ? skipDraining.abort() : undefined;
    const drainMs = lifecycle.phase === "serving" ? config.operations.drainSeconds * SECOND : 0;
    lifecycle.drain();
    log.info({ drainMs }, `stopping: ${why}`);
    stopping = sleep(drainMs, undefined, { signal: skipDraining.signal })
      .catch(() => {})
      .then(() => closeAll(running))
      .then(end, fail);
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  cluster.worker?.on("message", (message) => {
    if (message === REPLACED) stopping ??= leave(running).then(end, fail);
  });
  // The launcher has the other end of this channel. If it is killed, nothing else tells this process to stop.
  process.on("disconnect", () => stop("the launcher has ended"));
  // The launcher may have ended while this process was starting.
  if (process.send && !process.connected) stop("the launcher has ended");
  // A lost connection or a failing SMTP server must never end the process.
  process.on("unhandledRejection", (error) => log.error({ err: error ?? null }, "unhandled rejection"));
}

/** Stops a worker whose replacement serves: it accepts no connection, and closes each open one after its next answer. */
async function leave(running: Running): Promise<void> {
  const { app, services } = running;
  services.lifecycle.leave();
  // The method of the HTTP server would also close connections that are idle now, on which a request may be on its way.
  const closed = new Promise((resolve) => Server.prototype.close.call(app.server, resolve));
  await Promise.race([closed, sleep(Math.max(services.config.operations.drainSeconds, 1) * SECOND)]);
  app.server.closeIdleConnections();
  await Promise.race([closed, sleep(STOP_WAIT_MS)]);
  await closeAll(running);
}

async function closeAll({ app, services, devPayments, embedded, metrics }: Running): Promise<void> {
  await app.close();
  await closeServices(services);
  await metrics?.close();
  await stopTracing();
  await devPayments?.close();
  await embedded?.stop();
}

/** Starts the payment simulator. Production never loads it. */
async function startDevPayments(...given: Parameters<typeof import("./dev/dev-payments.ts").startDevPayments>) {
  return (await import("./dev/dev-payments.ts")).startDevPayments(...given);
}

/** Time between two attempts to reach the database, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Runs a step of the start-up that needs the database. While the database is unavailable, logs a warning and tries again
 * every second.
 * @throws Error for any other reason
 */
async function retryUntilDatabaseResponds<Result>(
  { log }: Pick<Services, "log">,
  step: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (attempt % 30 === 1) log.warn({ err: error }, "the database is unavailable; trying again every second");
      await sleep(RETRY_MS);
    }
  }
}
