import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { PaymentCustomer } from "./payment-customer.entity.ts";

/** A user's id at the payment provider; null for who never began to pay. */
export async function findPaymentCustomer({ em }: Pick<Context, "em">, userId: string): Promise<string | null> {
  return (await em.findOne(PaymentCustomer, { user: userId }, { refresh: true }))?.providerCustomerId ?? null;
}

/**
 * A user's id at the payment provider, made there when there is none. Two at the same moment get the same one.
 * @throws AppError UNAVAILABLE when the provider is away.
 */
export async function ensurePaymentCustomer(context: Context, user: User): Promise<string> {
  const known = await findPaymentCustomer(context, user.id);
  if (known) return known;
  const made = await context.payments.createCustomer({
    userId: user.id,
    email: user.email,
    name: `${user.firstName} ${user.lastName}`,
    key: `customer-${user.id}`,
  });
  await query(
    context.em,
    `insert into payment_customers (user_id, provider_customer_id) values ($1, $2) on conflict do nothing`,
    [user.id, made],
  );
  return (await findPaymentCustomer(context, user.id)) ?? made;
}
