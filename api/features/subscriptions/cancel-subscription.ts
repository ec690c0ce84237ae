import type { Context } from "#api/platform/context.ts";
import { providerIdOf } from "./change-subscription.ts";
import { findRunningSubscription } from "./find-running-subscription.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Cancels the signed-in customer's subscription at the end of its period, or resumes it before that (DOMAIN §3).
 * Doing it twice changes nothing.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE when the provider is away.
 */
export async function setCancelled(context: Context, isCancelled: boolean): Promise<void> {
  const subscription = await findRunningSubscription(context);
  await context.payments.setCancelAtPeriodEnd(providerIdOf(subscription), isCancelled);
  const customerId = await findPaymentCustomer(context, subscription.user.id);
  if (customerId) await syncCustomer(context, customerId);
}
