import process from "node:process";
import { startEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";

/**
 * A server process in small, for tests that kill one: starts the embedded database of the folder
 * given, prints one line of JSON about it and stays until it is ended.
 */
const dataDir = process.argv[2] ?? "";
try {
  const database = await startEmbeddedPostgres({ dataDir, fsync: false });
  process.once("SIGTERM", () => void database.stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ pid: process.pid, host: database.host, port: database.port })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exitCode = 1;
}
