import type { Context } from "#api/platform/context.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Brings a user's subscriptions at the payment provider and our books together after something changed on our side: a
 * country with another GST, an account that was deleted. The job that does so is written with the change (DESIGN §2.9).
 * @throws AppError UNAVAILABLE when the provider is away; the job is tried again.
 */
export async function syncPayments(context: Context, { userId }: { userId: string }): Promise<void> {
  const customerId = await findPaymentCustomer(context, userId);
  if (customerId) await syncCustomer(context, customerId);
}
