import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createApp } from "./app.ts";
import { buildProgram } from "./app/commands/program.ts";
import { ConfigError, readConfig } from "./config.ts";
import { createClock, createMovableClock } from "./platform/clock.ts";
import { migrate } from "./app/database.ts";
import type { DatabaseAddress } from "./platform/database.ts";
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from "./platform/embedded-postgres.ts";
import { createLog } from "./platform/log.ts";
import { AppError } from "./platform/errors.ts";
import type { Services } from "./platform/context.ts";
import { closeServices, openServices } from "./app/services.ts";

/** Starts one process of the product, from reading the settings to listening. */
async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  mkdirSync(config.dataDir, { recursive: true });

  let embedded: EmbeddedPostgres | null = null;
  if (!config.databaseUrl)
    embedded = await startEmbeddedPostgres({
      dataDir: join(config.dataDir, "postgres"),
      log: (message) => log.warn(message),
    });
  const address: DatabaseAddress = embedded
    ? {
        host: embedded.host,
        port: embedded.port,
        user: embedded.user,
        password: embedded.password,
        dbName: embedded.database,
      }
    : { url: config.databaseUrl ?? "" };

  await migrate(address);
  const clock = config.production ? createClock() : createMovableClock();
  const devPayments = config.stripe ? null : await startDevPayments(address, { clock, log });
  const services = await openServices(config, address, { log, clock }, devPayments ?? {});
  const app = await createApp(services, devPayments);
  if (!config.production) {
    const { fillDemoData } = await import("./dev/demo-data.ts");
    const { linkDemoSubscriptions } = await import("./dev/demo/link-subscriptions.ts");
    await fillDemoData(services);
    if (devPayments) await linkDemoSubscriptions(services, devPayments);
  }

  let stopping: Promise<void> | undefined;
  const stop = (why: string): void => {
    stopping ??= (async () => {
      log.info(`stopping: ${why}`);
      await app.close();
      await closeServices(services);
      await devPayments?.close();
      await embedded?.stop();
      process.exit(0);
    })().catch((error: unknown) => {
      log.error({ err: error }, "stopping failed");
      process.exit(1);
    });
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  // The launcher has the other end of this channel. If it is killed, nothing else tells this process to stop.
  process.on("disconnect", () => stop("the launcher has ended"));
  // The launcher may have ended while this process was starting.
  if (process.send && !process.connected) stop("the launcher has ended");
  // A lost connection or a failing SMTP server must never end the process.
  process.on("unhandledRejection", (error) => log.error({ err: error ?? null }, "unhandled rejection"));

  await app.listen({ port: config.port, host: config.host });
  // The wildcard addresses include loopback.
  const host = ["0.0.0.0", "::", "localhost"].includes(config.host) ? "127.0.0.1" : config.host;
  devPayments?.sendWebhooksTo(`http://${host.includes(":") ? `[${host}]` : host}:${config.port}`);
  const { printStartupMessage } = await import("./app/startup-message.ts");
  printStartupMessage(config);
}

/** Runs the command of the arguments. `serve` is the default. */
async function run(args: readonly string[]): Promise<void> {
  const name = process.argv[1]?.endsWith(".ts") ? "npm run portal --" : "node dist/server/server.js";
  await buildProgram(name, { serve, loadDevClock }).parseAsync(args.length > 0 ? args : ["serve"], { from: "user" });
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${formatError(error)}\n`);
  process.exit(1);
});

/** Restores the saved offset of the development clock. Never called in production. */
async function loadDevClock(services: Services): Promise<void> {
  await (await import("./dev/dev-clock.ts")).createDevClock(services).load();
}

/** Starts the payment simulator. Production never loads it, because its settings require the payment provider. */
async function startDevPayments(...given: Parameters<typeof import("./dev/dev-payments.ts").startDevPayments>) {
  return (await import("./dev/dev-payments.ts")).startDevPayments(...given);
}

/** Returns only the message of errors that the operator can fix, and the stack of all others. */
function formatError(error: unknown): string {
  const isOperatorError = [ConfigError, EmbeddedPostgresError, AppError].some((known) => error instanceof known);
  if (isOperatorError) return (error as Error).message;
  const { code, port, stack } = error as { code?: string; port?: number; stack?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.`;
  return stack ?? String(error);
}
