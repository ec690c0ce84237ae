import cluster from "node:cluster";
import process from "node:process";
import { buildProgram } from "./app/commands/program.ts";
import { applyBrand, ConfigError } from "./config.ts";
import type { Services } from "./platform/context.ts";
import { EmbeddedPostgresError } from "./platform/embedded/postgres.ts";
import { AppError, describeError, isDatabaseBusy, isDatabaseUnavailable } from "./platform/errors.ts";

/** Runs the command of the arguments. `serve` is the default. */
async function run(args: readonly string[]): Promise<void> {
  const name = process.argv[1]?.endsWith(".ts") ? "npm run portal --" : "node dist/server/server.js";
  // Answers the questions of the primary process from now on, so that a worker that starts doesn't delay a scrape.
  if (cluster.isWorker) void new (await import("prom-client")).AggregatorRegistry();
  const serve = async (workers?: number) =>
    workers === undefined || cluster.isWorker
      ? (await import("./serve.ts")).serve()
      : (await import("./serve-workers.ts")).serveWorkers(workers);
  await buildProgram(name, { serve, loadDevClock }).parseAsync(args.length > 0 ? args : ["serve"], { from: "user" });
}

// Before anything that reads the brand is loaded.
applyBrand();
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${formatError(error)}\n`);
  process.exit(1);
});

/** Restores the saved offset of the development clock. Never called in production. */
async function loadDevClock(services: Services): Promise<void> {
  await (await import("./dev/dev-clock.ts")).createDevClock(services).load();
}

/** Returns only the message of errors that the operator can fix, and the stack of all others. */
function formatError(error: unknown): string {
  const isOperatorError = [ConfigError, EmbeddedPostgresError, AppError].some((known) => error instanceof known);
  if (isOperatorError) return (error as Error).message;
  const { code, port, path, stack } = error as { code?: string; port?: number; path?: string; stack?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.`;
  // The output's closed pipe has the code of a lost connection.
  if (isDatabaseUnavailable(error) && !isDatabaseBusy(error) && code !== "EPIPE")
    return `The database can't be reached: ${describeError(error)}. Correct DATABASE_URL, or start the database.`;
  // A file or folder can't be read or written, or PostgreSQL knows no such role, password (28) or database (3D).
  if (code && (path || /^(?:28|3D)/.test(code))) return describeError(error);
  return stack ?? String(error);
}
