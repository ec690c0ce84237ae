import Stripe from "stripe";
import {
  type PaymentSimulator,
  type SimulatorOptions,
  startPaymentSimulator,
} from "#api/dev/payment-simulator/simulator.ts";
import { createMovableClock, DAY } from "#api/platform/clock.ts";
import { createStripePayments, type StripeSettings } from "#api/platform/payments/stripe-payments.ts";
import { createTestDatabase } from "./test-database.ts";
import { whenDone } from "./when-done.ts";

/** Creates a client of the real `stripe` package that calls a simulator. */
export const connectStripe = ({ secretKey, port }: PaymentSimulator): Stripe =>
  new Stripe(secretKey, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0 });

/** Connects the product to a simulator, with `changes`. Short timeouts keep tests of hanging calls fast. */
export const connectPayments = (
  { url, secretKey, publishableKey }: PaymentSimulator,
  changes: Partial<StripeSettings> = {},
) => {
  const cardEntry = { kind: "simulator", publishableKey } as const;
  return createStripePayments({ secretKey, webhookSecret: "whsec_simulator", cardEntry, url, ...changes });
};

/** Starts a simulator with its own database and clock for this test file and stops it afterwards. */
export async function startSimulatorForTests(options: Partial<SimulatorOptions> = {}) {
  const database = await createTestDatabase();
  const clock = createMovableClock(Date.parse("2026-03-01T00:00:00Z") - Date.now());
  const simulator = await startPaymentSimulator({ database, now: () => clock.now(), ...options });
  whenDone(() => simulator.close());
  return {
    simulator,
    clock,
    stripe: connectStripe(simulator),
    database,
    /** Moves the clock forward and processes what has become due. */
    pass: async (days: number): Promise<void> => {
      clock.setOffset(clock.offsetMs + days * DAY);
      await simulator.catchUp();
    },
  };
}
