import process from "node:process";
import { pino } from "pino";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { openServices } from "#api/app/services.ts";
import { createTestConfig } from "./test-config.ts";

/** Process that attempts one webhook delivery. Tests start it and kill it before it finishes. The argument is JSON. */
const given = JSON.parse(process.argv[2] ?? "") as { database: DatabaseAddress; dataDir: string; deliveryId: string };
const services = await openServices(
  createTestConfig(given.dataDir, {}),
  given.database,
  { log: pino({ level: "silent" }), clock: createMovableClock() },
  { jobs: { polling: false }, payments: {} as never },
);
await deliverWebhook(createContext(services), { deliveryId: given.deliveryId });
process.exit(0);
