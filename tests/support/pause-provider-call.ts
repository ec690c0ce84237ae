import process from "node:process";
import { pino } from "pino";
import { payInvoiceByCard } from "#api/billing/payments/payment.resolver.ts";
import { refundInvoice } from "#api/billing/refunds/refund-invoice.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { openServices } from "#api/app/services.ts";
import type { ProviderAction } from "./kill-at-provider.ts";
import { createTestConfig } from "./test-config.ts";

/**
 * Process that refunds an invoice or pays one by card. Tests make the payment simulator hang at a point and then kill it.
 * The argument is JSON with the database, the data folder, the simulator's URL, the clock and the action.
 */
const given = JSON.parse(process.argv[2] ?? "") as ProviderAction & {
  database: DatabaseAddress;
  dataDir: string;
  simulatorUrl: string;
  offsetMs: number;
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
const { kind, userId, input } = given;
const role = kind === "refund" ? "admin" : "corporate";
const context = createContext(services, { actor: { userId, sessionId: null, role } });
await (kind === "refund" ? refundInvoice(context, input) : payInvoiceByCard(context, input));
process.exit(0);
