import process from "node:process";
import { pino } from "pino";
import { processBulkRun } from "#api/staff/bulk/process-bulk-run.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { openServices } from "#api/app/services.ts";
import { createTestConfig } from "./test-config.ts";

/**
 * Process that executes one bulk run to completion. Tests start it and kill it before it finishes. The argument is JSON with
 * the database, the data folder and the run. `offsetMs` moves the clock.
 */
const given = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  runId: string;
  offsetMs?: number;
};
const services = await openServices(
  createTestConfig(given.dataDir, {}),
  given.database,
  { log: pino({ level: "silent" }), clock: createMovableClock(given.offsetMs ?? 0) },
  { jobs: { polling: false }, payments: {} as never },
);
await processBulkRun(createContext(services), { runId: given.runId });
process.exit(0);
