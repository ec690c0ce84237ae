import process from "node:process";
import { pino } from "pino";
import { payInvoiceByCard } from "#api/billing/payments/pay-by-card.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { openServices } from "#api/app/services.ts";
import { createTestConfig } from "./test-config.ts";

/**
 * Process that pays an invoice by card. Tests make the payment simulator hang at a point and then kill it. The argument is
 * JSON with the database, the data folder, the simulator's URL, the customer and the input of the payment.
 */
const given = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  simulatorUrl: string;
  userId: string;
  offsetMs: number;
  input: object;
};
const services = await openServices(
  createTestConfig(given.dataDir, {}),
  given.database,
  { log: pino({ level: "silent" }), clock: createMovableClock(given.offsetMs) },
  {
    jobs: { polling: false },
    payments: createStripePayments({
      secretKey: "sk_test_simulator",
      webhookSecret: "whsec_simulator",
      url: given.simulatorUrl,
      cardEntry: { kind: "simulator", publishableKey: "pk_test_simulator" },
    }),
  },
);
const actor = { userId: given.userId, sessionId: null, role: "corporate" } as const;
await payInvoiceByCard(createContext(services, { actor }), given.input);
process.exit(0);
