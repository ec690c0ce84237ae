import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { createProviderCustomer, type ProviderCatalogue } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "./payment-simulator.ts";

const testKey = process.env.STRIPE_TEST_SECRET_KEY;
if (testKey && !testKey.startsWith("sk_test_")) throw new Error("STRIPE_TEST_SECRET_KEY must be a test key");

/** Providers to run the contract test against, each with a name and a function that creates a client. */
export const providersToTest: [string, () => Promise<Stripe>][] = [
  ["the simulator", async () => (await startSimulatorForTests()).stripe],
  ...(testKey
    ? [["the provider's test mode", async () => new Stripe(testKey)] as [string, () => Promise<Stripe>]]
    : []),
];

/** Start of the test clocks: noon on 1 March 2027 UTC, in seconds since 1970. */
export const START = Date.UTC(2027, 2, 1, 12) / 1_000;

/** Returns the steps that the contract test performs at a provider. */
export const startProviderUnderTest = (stripe: Stripe, catalogue: ProviderCatalogue) => ({
  /** Creates a customer with a card and a separate test clock. */
  async customerOnClock(card?: string) {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START });
    const { customer } = await createProviderCustomer(stripe, card, { test_clock: clock.id });
    return { customer, clock };
  },
  /** Advances a test clock to a moment, in seconds since 1970, and waits until the provider is ready. */
  async advance(clock: Stripe.TestHelpers.TestClock, to: number): Promise<void> {
    let state = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to });
    while (state.status !== "ready") {
      await sleep(1_000);
      state = await stripe.testHelpers.testClocks.retrieve(clock.id);
    }
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
