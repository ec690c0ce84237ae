import process from "node:process";
import { pino } from "pino";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { processBulkRun } from "#api/staff/bulk/process-bulk-run.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { openServices } from "#api/app/services.ts";
import { createTestConfig } from "./test-config.ts";

/**
 * Process that executes a bulk run or an erasure to completion. Tests start it and kill it before it finishes. The
 * argument is JSON. `offsetMs` moves the clock.
 */
const given = JSON.parse(process.argv[2] ?? "") as { database: DatabaseAddress; dataDir: string; offsetMs?: number } & (
  | { runId: string }
  | { erasureId: string; rowsABatch: number }
);
const tools = { log: pino({ level: "silent" }), clock: createMovableClock(given.offsetMs ?? 0) };
const parts = { jobs: { polling: false }, payments: {} as never };
const services = await openServices(createTestConfig(given.dataDir, {}), given.database, tools, parts);
const context = createContext(services);
if ("runId" in given) await processBulkRun(context, { runId: given.runId });
else
  for (let state = "more"; state !== "done"; )
    state = await runErasure(context, given.erasureId, { rowsPerBatch: given.rowsABatch });
process.exit(0);
