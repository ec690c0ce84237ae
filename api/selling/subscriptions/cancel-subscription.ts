import type { Context } from "#api/platform/context.ts";
import { providerIdOf } from "./change-subscription.ts";
import { findRunningSubscription } from "./active-subscription.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Cancels the signed-in customer's subscription at the end of its period, or resumes it before that; one whose
 * renewal failed ends at once.
 * Doing it twice changes nothing.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE when the provider is away.
 */
export async function setCancelled(context: Context, isCancelled: boolean): Promise<void> {
  const subscription = await findRunningSubscription(context);
  const id = providerIdOf(subscription);
  // What was paid for is over already: nothing is left to run to, and nothing more is to be charged.
  if (isCancelled && subscription.status === "past_due") await context.payments.cancelNow(id);
  else await context.payments.setCancelAtPeriodEnd(id, isCancelled);
  const customerId = await findPaymentCustomer(context, subscription.user.id);
  if (customerId) await syncCustomer(context, customerId);
}
