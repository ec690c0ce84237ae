import Stripe from "stripe";
import { ignoreAlreadyRefunded } from "./stripe-errors.ts";
import { getId } from "./stripe-objects.ts";
import type { Payments } from "./payments.ts";

/** Returns a subscription's active or upcoming schedule, or null. */
export function getActiveSchedule({ schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | null {
  if (!schedule || typeof schedule === "string") return null;
  return schedule.status === "active" || schedule.status === "not_started" ? schedule : null;
}

/**
 * Returns the current and later phases of a schedule in the form the provider's update call takes, with new tax rates
 * (Stripe ids; an empty list removes the tax). Without this, phases would keep the tax rates they were created with.
 */
export function buildPhasesWithTaxRates(
  { phases, current_phase: current }: Stripe.SubscriptionSchedule,
  rates: readonly string[],
): Stripe.SubscriptionScheduleUpdateParams.Phase[] {
  return phases
    .filter(({ start_date }) => !current || start_date >= current.start_date)
    .map(({ items, start_date, end_date, metadata }, index) => ({
      items: items.map(({ price }) => ({ price: typeof price === "string" ? price : price.id })),
      ...(index === 0 ? { start_date } : {}),
      end_date,
      metadata: metadata ?? {},
      default_tax_rates: rates.length > 0 ? [...rates] : "",
    }));
}

/**
 * Voids the newest invoice of a subscription if it is still unpaid.
 * @returns false if it was paid in the meantime.
 */
export async function voidLatestInvoice(stripe: Stripe, subscription: Stripe.Subscription): Promise<boolean> {
  const latest = getId(subscription.latest_invoice);
  if (!latest) return true;
  const invoice = await stripe.invoices.retrieve(latest);
  if (invoice.status !== "open") return invoice.status !== "paid";
  try {
    await stripe.invoices.voidInvoice(latest);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return (await stripe.invoices.retrieve(latest)).status !== "paid";
  }
}

/** Refunds the remaining amount of an invoice's payments. A repeated call with the same `key` doesn't refund again. */
export async function refundPayments(stripe: Stripe, invoice: Stripe.Invoice, key: string): Promise<void> {
  for (const { payment, status } of invoice.payments?.data ?? []) {
    const intent = getId(payment.payment_intent);
    if (intent && status === "paid")
      await ignoreAlreadyRefunded(() =>
        stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: `${key}-${intent}` }),
      );
  }
}

/** Creates a customer and returns its id. A repeated call with the same key returns the same customer. */
export async function createStripeCustomer(
  stripe: Stripe,
  { userId, email, name, key }: Parameters<Payments["createCustomer"]>[0],
): Promise<string> {
  const customer = await stripe.customers.create({ email, name, metadata: { userId } }, { idempotencyKey: key });
  return customer.id;
}

/** Detaches a customer's cards and removes the name and email address. Idempotent. */
export async function anonymizeStripeCustomer(stripe: Stripe, customerId: string): Promise<void> {
  for await (const { id } of stripe.customers.listPaymentMethods(customerId)) await stripe.paymentMethods.detach(id);
  await stripe.customers.update(customerId, { email: "", name: "Deleted User" });
}
