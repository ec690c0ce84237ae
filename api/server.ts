import cluster from "node:cluster";
import process from "node:process";
import { describeFailure } from "./app/commands/describe-failure.ts";
import { buildProgram } from "./app/commands/program.ts";
import { applyBrand } from "./config.ts";
import type { Services } from "./platform/context.ts";

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
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
});

/** Restores the saved offset of the development clock. Never called in production. */
async function loadDevClock(services: Services): Promise<void> {
  await (await import("./dev/dev-clock.ts")).createDevClock(services).load();
}
