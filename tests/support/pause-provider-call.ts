import process from "node:process";
import { pino } from "pino";
import { payInvoiceByCard } from "#api/billing/payments/payment.resolver.ts";
import { refundInvoice } from "#api/billing/refunds/refund-invoice.ts";
import { changeSubscription } from "#api/billing/subscriptions/change-subscription.ts";
import { subscribe } from "#api/billing/subscriptions/subscribe.ts";
import { syncPayments } from "#api/billing/subscriptions/sync-customer.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { openServices } from "#api/app/services.ts";
import type { ProviderAction } from "./kill-at-provider.ts";
import { createTestConfig } from "./test-config.ts";

/**
 * Process that runs an action that calls the payment provider. Tests make the payment simulator hang at a point and then kill it.
 * The argument is JSON with the database, the data folder, the simulator's URL, the clock and the action.
 */
const given = JSON.parse(process.argv[2] ?? "") as ProviderAction & {
  database: DatabaseAddress;
  dataDir: string;
  simulatorUrl: string;
  offsetMs: number;
};
const cardEntry = { kind: "simulator", publishableKey: "pk_test_simulator" } as const;
const secrets = { secretKey: "sk_test_simulator", webhookSecret: "whsec_simulator" };
const payments = createStripePayments({ ...secrets, url: given.simulatorUrl, cardEntry });
const tools = { log: pino({ level: "silent" }), clock: createMovableClock(given.offsetMs) };
const parts = { jobs: { polling: false }, payments };
const services = await openServices(createTestConfig(given.dataDir, {}), given.database, tools, parts);
const { userId } = given;
const role = given.kind === "refund" ? "admin" : given.kind === "card-payment" ? "corporate" : "regular";
const context = createContext(services, { actor: { userId, sessionId: null, role } });
const noChoice = { promoCode: null, requestKey: null, expectedTotalCents: null, paymentMethodId: null };
if (given.kind === "refund") await refundInvoice(context, given.input);
else if (given.kind === "card-payment") await payInvoiceByCard(context, given.input);
else if (given.kind === "subscribe") await subscribe(context, { ...noChoice, ...given.input });
else if (given.kind === "change") await changeSubscription(context, given.input.planPriceId);
else await syncPayments(context, given);
process.exit(0);
