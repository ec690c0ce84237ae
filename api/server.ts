import process from "node:process";
import { ConfigError } from "./config.ts";
import type { Services } from "./platform/context.ts";
import { EmbeddedPostgresError } from "./platform/embedded-postgres.ts";
import { AppError } from "./platform/errors.ts";
import { serve } from "./serve.ts";

/** Commands by the first argument to `server.js`. `serve` is the default. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  serve,
  "erase-user": async (args) => (await import("./app/commands/erase-user.ts")).eraseUserByEmail(args, loadDevClock),
  audit: async (args) => (await import("./app/commands/audit.ts")).runAudit(args, loadDevClock),
  keys: async (args) => (await import("./app/commands/keys.ts")).runKeys(args),
  "sync-plans": async () => (await import("./app/commands/sync-plans.ts")).runSyncPlans(),
};

async function run(name = "serve", ...args: readonly string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const message = `Unknown command: ${name}. Available commands: ${Object.keys(commands).join(", ")}.`;
  if (!command) throw new AppError("BAD_USER_INPUT", { message });
  await command(args);
}

run(...process.argv.slice(2)).catch((error: unknown) => {
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
  const { code, port, stack } = error as { code?: string; port?: number; stack?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.`;
  return stack ?? String(error);
}
