import process from "node:process";
import { readConfig } from "#api/config.ts";
import { migrate } from "#api/app/database.ts";
import { getDirectAddress, withDatabase } from "./open-command.ts";

/** Runs `server.js migrate`. */
export async function runMigrate({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = readConfig();
  await withDatabase(config, (address) => migrate(getDirectAddress(config, address)));
  process.stdout.write(json ? `${JSON.stringify({ pending: [] })}\n` : "The database has all migrations.\n");
}
