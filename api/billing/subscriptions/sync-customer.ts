import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import type { ProviderInvoice, ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { User } from "#api/people/users/user.entity.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { applySubscription } from "./apply-subscription.ts";
import { recordInvoices } from "./record-invoices.ts";
import type { Correction } from "./payment-rules.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Refund, RefundLicence } from "#api/billing/refunds/refund.entity.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Classified, Text } from "#api/platform/database/columns.ts";

/**
 * Maximum number of rounds of reading and correcting. The next read shows the corrections, so if this many rounds
 * aren't enough, the corrections have no effect.
 */
const MAX_ROUNDS = 4;

/**
 * Updates our records from the provider's data about a customer: subscriptions, licences, tax invoices and refunds. All
 * payment changes enter the product here, whether a request, a webhook event or the reconciliation noticed them. It
 * reads everything each time, so it can run repeatedly and in any order (docs/domain.md#provider).
 * @throws AppError UNAVAILABLE if the provider is unreachable. Each round is applied entirely or not at all.
 */
export async function syncCustomer(context: Context, providerCustomerId: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const corrections = await readAndApply(context, providerCustomerId);
    if (corrections.length === 0) return;
    for (const correction of corrections) await applyCorrection(context, correction);
  }
  context.log.error({ providerCustomerId }, "corrections sent to the payment provider had no effect");
}

/** Syncs a user as {@link syncCustomer} does. Does nothing if they never started a payment. */
export async function syncUser(context: Context, userId: string): Promise<void> {
  const customerId = await findPaymentCustomer(context, userId);
  if (customerId) await syncCustomer(context, customerId);
}

async function readAndApply(context: Context, providerCustomerId: string): Promise<Correction[]> {
  // Numbered before reading, so that an older read can't overwrite a newer one.
  const [reading] = await query<{ userId: string; number: string }>(
    context.em,
    `update payment_customers set last_read = last_read + 1 where provider_customer_id = $1
     returning user_id as "userId", last_read as number`,
    [providerCustomerId],
  );
  if (!reading) return [];
  const found = await context.payments.listSubscriptions(providerCustomerId);
  return inTransaction(context, async (em) => {
    await lockUserLicences(em, reading.userId);
    const user = await lockRow(em, User, reading.userId);
    const isNewest = await query(
      em,
      `update payment_customers set last_applied = $2 where user_id = $1 and last_applied < $2 returning user_id`,
      [user.id, reading.number],
    );
    return isNewest.length > 0 ? apply(context, em, user, await addRefundChoices(em, found)) : [];
  });
}

/** Adds the choices of staff about the licence to the invoices they refunded. */
async function addRefundChoices(
  em: EntityManager,
  found: readonly ProviderSubscription[],
): Promise<ProviderSubscription[]> {
  // The provider's times are in seconds, so an invoice can have several latest refunds.
  const listLatest = ({ refunds }: ProviderInvoice) =>
    refunds.flatMap(({ refundId, createdAt }) =>
      refundId && createdAt.getTime() === refunds.at(-1)?.createdAt.getTime() ? refundId : [],
    );
  const ids = found.flatMap(({ invoices }) => invoices.flatMap(listLatest)).filter(isUuid);
  const refunds = ids.length > 0 ? await em.find(Refund, { id: { $in: ids } }, { orderBy: { createdAt: "asc" } }) : [];
  const addChoice = (invoice: ProviderInvoice): ProviderInvoice => {
    const chosen = refunds.findLast(({ id }) => listLatest(invoice).includes(id));
    return chosen
      ? { ...invoice, licenceAfterRefund: chosen.licence === RefundLicence.END_NOW ? "end" : "keep" }
      : invoice;
  };
  return found.map((subscription) => ({ ...subscription, invoices: subscription.invoices.map(addChoice) }));
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
  await recordPaymentAttempts(context, em, user, found);
  return corrections;
}

async function applyCorrection({ payments }: Context, correction: Correction): Promise<void> {
  if (correction.kind === "set-gst") return payments.setGst(correction.subscriptionId, correction.gstBasisPoints);
  if (correction.kind === "refund")
    return payments.refundInvoice(correction.invoiceId, `refund-${correction.invoiceId}`);
  if (correction.kind === "cancel-at-period-end") return payments.setCancelAtPeriodEnd(correction.subscriptionId, true);
  if (correction.kind === "withdraw") return payments.cancelUnpaid(correction.subscriptionId);
  await payments.cancelNow(correction.subscriptionId);
}

/**
 * Syncs a user's subscriptions with the payment provider after a change on our side, such as a move to a country
 * with a different GST rate. For a deleted account, the provider also removes the name, address and cards. The job is
 * queued in the transaction of the change.
 * @throws AppError UNAVAILABLE if the provider is unreachable. The job is then retried.
 */
export async function syncPayments(context: Context, { userId }: { userId: string }): Promise<void> {
  const customerId = await findPaymentCustomer(context, userId);
  if (!customerId) return;
  await syncCustomer(context, customerId);
  const user = await context.em.fork().findOne(User, userId);
  // Anonymise the customer only after the sync, which cancels subscriptions that would still charge the card.
  if (user?.deletedAt) await context.payments.anonymizeCustomer(customerId);
}

/**
 * Saves a customer's attempts to pay with their outcome and the next retry. Repeating it changes nothing. Runs in the
 * transaction of `em`, which must hold the lock on `user`.
 */
async function recordPaymentAttempts(
  context: Context,
  em: EntityManager,
  user: User,
  subscriptions: readonly ProviderSubscription[],
): Promise<void> {
  const rows = subscriptions.flatMap((subscription) =>
    subscription.invoices.flatMap((invoice) => toRows(user, subscription, invoice)),
  );
  if (rows.length === 0) return;
  const saved = await query<SavedAttempt>(
    em,
    `insert into payment_attempts as known (id, user_id, subscription_id, provider_charge_id, provider_invoice_id, at,
            number, amount_cents, refunded_cents, reason, next_retry_at, card_brand, card_last4)
     select gen_random_uuid(), $1, s.id, a.charge, a.invoice, a.at, a.number, a.amount, a.refunded, a.reason, a.next,
            a.brand, a.last4
       from jsonb_to_recordset($2::jsonb) as a(subscription text, charge text, invoice text, at timestamptz, number int,
            amount int, refunded int, reason text, next timestamptz, brand text, last4 text)
       left join subscriptions s on s.provider_subscription_id = a.subscription
     on conflict (provider_charge_id) do update
       set subscription_id = excluded.subscription_id, number = excluded.number,
           refunded_cents = excluded.refunded_cents, next_retry_at = excluded.next_retry_at
     where (known.subscription_id, known.number, known.refunded_cents, known.next_retry_at) is distinct from
           (excluded.subscription_id, excluded.number, excluded.refunded_cents, excluded.next_retry_at)
     returning id, subscription_id as "subscriptionId", amount_cents as "amountCents", reason, at as "attemptedAt",
               next_retry_at as "nextRetryAt", xmax = 0 as "isNew"`,
    [user.id, JSON.stringify(rows)],
  );
  await recordWebhookEvents(
    context,
    em,
    saved.flatMap(({ isNew, reason, attemptedAt, nextRetryAt, ...payment }) => {
      if (!isNew || reason === null) return [];
      const times = {
        attemptedAt: new Date(attemptedAt),
        nextRetryAt: nextRetryAt === null ? null : new Date(nextRetryAt),
      };
      const data = { userId: user.id, payment: { ...payment, ...times, reason } };
      return [{ type: "payment.failed" as const, userId: user.id, data }];
    }),
  );
}

interface SavedAttempt {
  readonly id: string;
  readonly subscriptionId: string | null;
  readonly amountCents: number;
  readonly reason: string | null;
  readonly attemptedAt: Date | string;
  readonly nextRetryAt: Date | string | null;
  readonly isNew: boolean;
}

function toRows({ deletedAt }: User, subscription: ProviderSubscription, invoice: ProviderInvoice) {
  return invoice.attempts.map(({ id, at, amountCents, refundedCents, reason, card }, index) => ({
    subscription: subscription.id,
    charge: id,
    invoice: invoice.id,
    at,
    number: index + 1,
    amount: amountCents,
    refunded: refundedCents,
    reason,
    next: index === invoice.attempts.length - 1 ? invoice.nextAttemptAt : null,
    brand: deletedAt ? null : (card?.brand ?? null),
    last4: deletedAt ? null : (card?.last4 ?? null),
  }));
}

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
 * Returns a user's id at the payment provider, creating the customer if needed, and gives the provider their present
 * name and email address. Concurrent calls get the same id.
 * @throws AppError UNAVAILABLE if the provider is unreachable; UNAUTHENTICATED if the account was deleted in the meantime.
 */
export async function ensurePaymentCustomer(context: Context, user: User): Promise<string> {
  let customerId = await findPaymentCustomer(context, user.id);
  if (!customerId) {
    const createdId = await context.payments.createCustomer(user.id);
    await query(
      context.em,
      `insert into payment_customers (user_id, provider_customer_id) values ($1, $2) on conflict do nothing`,
      [user.id, createdId],
    );
    customerId = (await findPaymentCustomer(context, user.id)) ?? createdId;
  }
  // Sent when the customer is known here, so that a deletion of the account finds and removes them. Sent each time,
  // because an earlier attempt may have failed.
  await context.payments.describeCustomer(customerId, {
    email: user.email,
    name: `${user.firstName} ${user.lastName}`,
  });
  const isErased = await inTransaction(context, async (em) => {
    const { deletedAt } = await lockRow(em, User, user.id, { refresh: true });
    // The job of the deletion may have come before the name and address, so another one removes them.
    if (deletedAt) await context.jobs.add(em, "sync-payments", { userId: user.id });
    return deletedAt !== null;
  });
  if (isErased) throw new AppError("UNAUTHENTICATED");
  return customerId;
}
