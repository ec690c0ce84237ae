import type Stripe from "stripe";
import type { Payments } from "./payments.ts";

/** Creates a customer and returns its id; a repeated call with the same key returns the same customer. */
export async function createStripeCustomer(
  stripe: Stripe,
  { userId, email, name, key }: Parameters<Payments["createCustomer"]>[0],
): Promise<string> {
  const customer = await stripe.customers.create({ email, name, metadata: { userId } }, { idempotencyKey: key });
  return customer.id;
}

/** Detaches a customer's cards and removes name and email address; doing it twice changes nothing. */
export async function anonymizeStripeCustomer(stripe: Stripe, customerId: string): Promise<void> {
  for await (const { id } of stripe.customers.listPaymentMethods(customerId)) await stripe.paymentMethods.detach(id);
  await stripe.customers.update(customerId, { email: "", name: "Deleted User" });
}
