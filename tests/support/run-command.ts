import { startProgram } from "./programs.ts";
import type { TestApp } from "./test-app.ts";
import { buildDatabaseUrl } from "./test-database.ts";

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs `server.js` with arguments, in a separate process without a terminal. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = await startProgram("server", args, {
    env: { NODE_ENV: "development", LOG_LEVEL: "silent", ...env },
    stderr: "pipe",
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, errors }));
  });
}

/** Runs `server.js` on the database and data folder of a test's app. */
export const runCommandOn = async (app: TestApp, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand(args, { DATABASE_URL: buildDatabaseUrl(app.database), DATA_DIR: app.services.config.dataDir });
