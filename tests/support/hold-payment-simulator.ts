import { writeSync } from "node:fs";
import process from "node:process";
import { startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";

/** A process that runs a simulator on the database given (as JSON), for tests that kill one: prints its port. */
const simulator = await startPaymentSimulator({
  database: JSON.parse(process.argv[2] ?? "") as DatabaseAddress,
  now: () => new Date(),
});
writeSync(1, `${simulator.port}\n`);
