import { startProgram } from "./programs.ts";
import type { TestApp } from "./test-app.ts";
import { buildDatabaseUrl } from "./test-database.ts";

/** Runs `server.js` with arguments, in a separate process without a terminal. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const settings = { NODE_ENV: "development", LOG_LEVEL: "silent" } as const;
  const child = await startProgram("server", args, { env: { ...settings, ...env }, stderr: "pipe" });
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, errors }));
  });
}

/** Runs `server.js` on the database and data folder of a test's app. */
export const runCommandOn = async (app: TestApp, ...args: readonly string[]) =>
  runCommand(args, { DATABASE_URL: buildDatabaseUrl(app.database), DATA_DIR: app.services.config.dataDir });
