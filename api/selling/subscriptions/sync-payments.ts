import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Brings a user's subscriptions at the payment provider and our books together after something changed on our side: a
 * country with another GST, an account that was deleted; the provider then keeps no name, address or card. The job is
 * written with the change.
 * @throws AppError UNAVAILABLE when the provider is away; the job is tried again.
 */
export async function syncPayments(context: Context, { userId }: { userId: string }): Promise<void> {
  const customerId = await findPaymentCustomer(context, userId);
  if (!customerId) return;
  await syncCustomer(context, customerId);
  const user = await context.em.fork().findOne(User, userId);
  // After the sync, which cancels what is still charged to a card.
  if (user?.deletedAt) await context.payments.anonymizeCustomer(customerId);
}
