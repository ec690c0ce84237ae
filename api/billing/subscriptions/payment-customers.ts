import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Classified, Text } from "#api/platform/database/columns.ts";

/** A user's customer record at the payment provider. */
@Entity({ tableName: "payment_customers" })
export class PaymentCustomer {
  @Classified({ kept: "Needed for late refunds and disputes." })
  @OneToOne(() => User, { primary: true, deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Text({ personal: { kept: "Needed for late refunds and disputes." } })
  providerCustomerId!: string;

  /** Number of times this customer was read from the provider; see `sync-customer.ts`. */
  @Property({ type: types.bigint })
  lastRead: Opt<bigint> = 0n;

  /** Number of the read that was applied last. Results of an older read are discarded. */
  @Property({ type: types.bigint })
  lastApplied: Opt<bigint> = 0n;
}

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
