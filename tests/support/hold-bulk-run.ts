import process from "node:process";
import { pino } from "pino";
import { runBulk } from "#api/staff/bulk/run-bulk.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { openServices } from "#api/app/services.ts";
import { testConfig } from "./test-config.ts";

/**
 * A process that carries out one bulk run of the database and folder given (as JSON), a slice after the other until
 * nothing is left, and ends; tests kill it on the way. `offsetMs` moves its clock.
 */
const given = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  runId: string;
  offsetMs?: number;
};
const services = await openServices(
  testConfig(given.dataDir, {}),
  given.database,
  { log: pino({ level: "silent" }), clock: createMovableClock(given.offsetMs ?? 0) },
  { jobs: { polling: false }, payments: {} as never },
);
await runBulk(createContext(services), { runId: given.runId });
process.exit(0);
