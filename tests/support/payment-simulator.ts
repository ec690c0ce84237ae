import Stripe from "stripe";
import { afterAll } from "vitest";
import {
  type PaymentSimulator,
  type SimulatorOptions,
  startPaymentSimulator,
} from "#api/dev/payment-simulator/simulator.ts";
import { createMovableClock, DAY, type MovableClock } from "#api/platform/clock.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** A simulator with the clock it follows and a `stripe` client on it. */
export interface SimulatorForTests {
  readonly simulator: PaymentSimulator;
  readonly clock: MovableClock;
  readonly stripe: Stripe;
  readonly database: TestDatabase;
  /** Moves the clock on and lets everything happen that comes due. */
  readonly pass: (days: number) => Promise<void>;
}

/** The real `stripe` package, talking to a simulator. */
export function stripeOn(simulator: PaymentSimulator, options: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { port } = simulator;
  return new Stripe(simulator.secretKey, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    ...options,
  });
}

/** A clock that stands at a moment, apart from the real milliseconds that pass. */
export function clockAt(iso: string): MovableClock {
  return createMovableClock(Date.parse(iso) - Date.now());
}

/** Starts a simulator on a database of the test file's own; it is closed after the file. */
export async function startSimulatorForTests(
  options: Partial<SimulatorOptions> & { at?: string } = {},
): Promise<SimulatorForTests> {
  const database = await createTestDatabase();
  const clock = clockAt(options.at ?? "2026-03-01T00:00:00Z");
  const simulator = await startPaymentSimulator({ database, now: () => clock.now(), ...options });
  afterAll(() => simulator.close());
  return {
    simulator,
    clock,
    stripe: stripeOn(simulator),
    database,
    async pass(days) {
      clock.setOffset(clock.offsetMs + days * DAY);
      await simulator.catchUp();
    },
  };
}
