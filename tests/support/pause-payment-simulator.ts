import { writeSync } from "node:fs";
import process from "node:process";
import { startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";

/** Process that runs a payment simulator and prints its port. Tests kill it. The argument is the database as JSON. */
const simulator = await startPaymentSimulator({
  database: JSON.parse(process.argv[2] ?? "") as DatabaseAddress,
  now: () => new Date(),
});
writeSync(1, `${simulator.port}\n`);
