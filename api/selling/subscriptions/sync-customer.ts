import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { ProviderSubscription, SyncedPrice } from "#api/platform/payments/payments.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { lockLicencesOf } from "#api/licensing/licences/lock-licences.ts";
import { applySubscription } from "./apply-subscription.ts";
import { recordInvoices } from "./record-invoices.ts";
import type { Correction } from "./payment-rules.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { findPaymentCustomer } from "./payment-customers.ts";

/** What is put right at the provider shows at the next reading; more rounds than this mean that it does not. */
const MOST_ROUNDS = 4;

/**
 * Makes our books say what the provider says of a customer: subscriptions, licences, tax invoices, refunds. The one
 * way anything that was paid, failed or ended gets in, whoever noticed it: a request, a notice, the reconciler. It
 * reads everything anew, so it may be called any number of times and in any order (docs/domain.md#provider).
 * @throws AppError UNAVAILABLE when the provider is away; nothing is half applied.
 */
export async function syncCustomer(context: Context, providerCustomerId: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const corrections = await readAndApply(context, providerCustomerId);
    if (corrections.length === 0) return;
    for (const correction of corrections) await carryOut(context, correction);
  }
  context.log.error({ providerCustomerId }, "what was put right at the payment provider does not show there");
}

async function readAndApply(context: Context, providerCustomerId: string): Promise<Correction[]> {
  // Numbered before reading, so that of two readings the later one has the higher number and is never undone.
  const [reading] = await query<{ userId: string; number: string }>(
    context.em,
    `update payment_customers set last_read = last_read + 1 where provider_customer_id = $1
     returning user_id as "userId", last_read as number`,
    [providerCustomerId],
  );
  if (!reading) return [];
  const found = await context.payments.listSubscriptions(providerCustomerId);
  return inTransaction(context, async (em) => {
    await lockLicencesOf(em, reading.userId);
    const user = await em.findOneOrFail(User, reading.userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const isNewest = await query(
      em,
      `update payment_customers set last_applied = $2 where user_id = $1 and last_applied < $2 returning user_id`,
      [user.id, reading.number],
    );
    return isNewest.length > 0 ? apply(context, em, user, found) : [];
  });
}

async function apply(
  context: Context,
  em: EntityManager,
  user: User,
  found: readonly ProviderSubscription[],
): Promise<Correction[]> {
  const corrections: Correction[] = [];
  for (const subscription of found) corrections.push(...(await applySubscription(context, em, user, subscription)));
  await em.flush();
  await recordInvoices(context, em, user, found);
  await em.flush();
  return corrections;
}

async function carryOut({ payments }: Context, correction: Correction): Promise<void> {
  if (correction.kind === "set-gst") return payments.setGst(correction.subscriptionId, correction.gstBasisPoints);
  if (correction.kind === "refund")
    return payments.refundInvoice(correction.invoiceId, `refund-${correction.invoiceId}`);
  if (correction.kind === "cancel-at-period-end") return payments.setCancelAtPeriodEnd(correction.subscriptionId, true);
  if (correction.kind === "withdraw") return payments.withdrawUnpaid(correction.subscriptionId);
  await payments.cancelNow(correction.subscriptionId);
}

/** A plan price as the provider is told of it. */
export function syncedPrice(price: PlanPrice): SyncedPrice {
  return { id: price.id, planSlug: price.plan.slug, interval: price.interval, audCents: price.audCents };
}

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
