import Stripe from "stripe";
import {
  type PaymentSimulator,
  type SimulatorOptions,
  startPaymentSimulator,
} from "#api/dev/payment-simulator/simulator.ts";
import { createMovableClock, DAY, type MovableClock } from "#api/platform/clock.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { whenDone } from "./when-done.ts";

/** Payment simulator with its clock, its database and a `stripe` client. */
export interface SimulatorForTests {
  readonly simulator: PaymentSimulator;
  readonly clock: MovableClock;
  readonly stripe: Stripe;
  readonly database: TestDatabase;
  /** Moves the clock forward and processes what has become due. */
  readonly pass: (days: number) => Promise<void>;
}

/** Creates a client of the real `stripe` package that calls a simulator. */
export function connectStripe(simulator: PaymentSimulator, options: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { port } = simulator;
  return new Stripe(simulator.secretKey, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    ...options,
  });
}

export const createClockAt = (iso: string): MovableClock => createMovableClock(Date.parse(iso) - Date.now());

/** Starts a simulator with its own database for this test file and stops it afterwards. */
export async function startSimulatorForTests(
  options: Partial<SimulatorOptions> & { at?: string } = {},
): Promise<SimulatorForTests> {
  const database = await createTestDatabase();
  const clock = createClockAt(options.at ?? "2026-03-01T00:00:00Z");
  const simulator = await startPaymentSimulator({ database, now: () => clock.now(), ...options });
  whenDone(() => simulator.close());
  return {
    simulator,
    clock,
    stripe: connectStripe(simulator),
    database,
    async pass(days) {
      clock.setOffset(clock.offsetMs + days * DAY);
      await simulator.catchUp();
    },
  };
}
