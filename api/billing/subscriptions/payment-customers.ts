import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { PaymentCustomer } from "./payment-customer.entity.ts";

/** Returns a user's id at the payment provider; null if they never started a payment. */
export async function findPaymentCustomer({ em }: Pick<Context, "em">, userId: string): Promise<string | null> {
  return (await em.findOne(PaymentCustomer, { user: userId }, { refresh: true }))?.providerCustomerId ?? null;
}

/**
 * Returns a user's id at the payment provider, creating the customer if needed. Concurrent calls get the same id.
 * @throws AppError UNAVAILABLE if the provider is unreachable.
 */
export async function ensurePaymentCustomer(context: Context, user: User): Promise<string> {
  const known = await findPaymentCustomer(context, user.id);
  if (known) return known;
  const createdId = await context.payments.createCustomer({
    userId: user.id,
    email: user.email,
    name: `${user.firstName} ${user.lastName}`,
    key: `customer-${user.id}`,
  });
  await query(
    context.em,
    `insert into payment_customers (user_id, provider_customer_id) values ($1, $2) on conflict do nothing`,
    [user.id, createdId],
  );
  return (await findPaymentCustomer(context, user.id)) ?? createdId;
}
