import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { createProviderCustomer, type ProviderCatalogue } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "./payment-simulator.ts";

const testKey = process.env.STRIPE_TEST_SECRET_KEY;
if (testKey && !testKey.startsWith("sk_test_")) throw new Error("STRIPE_TEST_SECRET_KEY must be a test key");

/** Start of the clocks: noon on 1 March 2027 UTC, in seconds since 1970. */
export const START = Date.UTC(2027, 2, 1, 12) / 1_000;

interface Connection {
  readonly stripe: Stripe;
  /** Starts a clock at {@link START}. Returns what its customers need, and how to advance it to a moment. */
  readonly startClock: () => Promise<{
    readonly customer: Stripe.CustomerCreateParams;
    readonly advance: (to: number) => Promise<void>;
  }>;
}

/** Connects to a simulator. All its customers have the same clock. */
async function connectSimulator(): Promise<Connection> {
  let seconds = START;
  const { stripe, simulator } = await startSimulatorForTests({ now: () => new Date(seconds * 1_000) });
  return {
    stripe,
    async startClock() {
      seconds = START;
      return {
        customer: {},
        async advance(to) {
          seconds = to;
          await simulator.catchUp();
        },
      };
    },
  };
}

/** Connects to the provider's test mode, with test clocks. */
async function connectTestMode(key: string): Promise<Connection> {
  const stripe = new Stripe(key);
  const { testClocks } = stripe.testHelpers;
  return {
    stripe,
    async startClock() {
      const { id } = await testClocks.create({ frozen_time: START });
      return {
        customer: { test_clock: id },
        async advance(to) {
          let { status } = await testClocks.advance(id, { frozen_time: to });
          while (status !== "ready") {
            await sleep(1_000);
            ({ status } = await testClocks.retrieve(id));
          }
        },
      };
    },
  };
}

/** Providers to run the contract test against, each with a name and a function that connects to it. */
export const providersToTest: [string, () => Promise<Connection>][] = [
  ["the simulator", connectSimulator],
  ...(testKey
    ? [["the provider's test mode", () => connectTestMode(testKey)] as [string, () => Promise<Connection>]]
    : []),
];

/** Returns the steps that the contract test performs at a provider. */
export const startProviderUnderTest = ({ stripe, startClock }: Connection, catalogue: ProviderCatalogue) => ({
  /** Creates a customer with a card and a separate clock. */
  async customerOnClock(card?: string) {
    const clock = await startClock();
    const { customer } = await createProviderCustomer(stripe, card, clock.customer);
    return { customer, advance: clock.advance };
  },
  /** Subscribes to the monthly price with GST, with an immediate attempt to charge the customer's card. */
  subscribe(customer: string, more: Partial<Stripe.SubscriptionCreateParams> = {}): Promise<Stripe.Subscription> {
    const sold = { items: [{ price: catalogue.monthly.id }], default_tax_rates: [catalogue.gst.id] };
    const expand = ["latest_invoice.payments"];
    return stripe.subscriptions.create({ customer, ...sold, payment_behavior: "allow_incomplete", ...more, expand });
  },
  /** Loads the payment intent of the subscription's newest invoice. */
  async intentOf(subscription: Stripe.Subscription): Promise<Stripe.PaymentIntent> {
    const id = getLatestInvoice(subscription).payments?.data[0]?.payment.payment_intent;
    return stripe.paymentIntents.retrieve(id as string);
  },
});

/**
 * Returns the newest invoice of a subscription.
 * @throws Error if it isn't expanded
 */
export function getLatestInvoice(subscription: Stripe.Subscription): Stripe.Invoice {
  const invoice = subscription.latest_invoice;
  if (!invoice || typeof invoice === "string") throw new Error("the invoice is not expanded");
  return invoice;
}

export const getSingleItem = (subscription: Stripe.Subscription): Stripe.SubscriptionItem =>
  subscription.items.data[0] as Stripe.SubscriptionItem;

/** Returns the error of a call that must be refused. */
export const catchRefusal = (promise: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  promise.then(
    () => Promise.reject(new Error("the call was not refused")),
    (error: Stripe.errors.StripeError) => error,
  );
