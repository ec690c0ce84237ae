import Stripe from "stripe";
import { idOf } from "./stripe-objects.ts";

/** The schedule that a subscription is under; null when it is under none. */
export function scheduleOf({ schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | null {
  if (!schedule || typeof schedule === "string") return null;
  return schedule.status === "active" || schedule.status === "not_started" ? schedule : null;
}

/**
 * Voids the newest invoice of a subscription if it is still to be paid.
 * @returns false when it was paid meanwhile.
 */
export async function withdrawInvoice(stripe: Stripe, subscription: Stripe.Subscription): Promise<boolean> {
  const latest = idOf(subscription.latest_invoice);
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
