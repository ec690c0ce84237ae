import process from "node:process";
import { pino } from "pino";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { openServices } from "#api/app/services.ts";
import { createTestConfig } from "./test-config.ts";

/** Process that runs one erasure to completion. Tests start it and kill it before it finishes. The argument is JSON. */
const given = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  erasureId: string;
  rowsABatch: number;
};
const services = await openServices(
  createTestConfig(given.dataDir, {}),
  given.database,
  { log: pino({ level: "silent" }), clock: createMovableClock() },
  { jobs: { polling: false }, payments: {} as never },
);
let state = "more";
while (state !== "done")
  state = await runErasure(createContext(services), given.erasureId, { rowsPerBatch: given.rowsABatch });
process.exit(0);
