import process from "node:process";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";

/**
 * Process that starts the embedded PostgreSQL of a data folder, prints its connection as one line of JSON and runs until
 * it is stopped. Tests kill it.
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
