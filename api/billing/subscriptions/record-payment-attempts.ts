import type { Context } from "#api/platform/context.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { ProviderInvoice, ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import type { User } from "#api/people/users/user.entity.ts";

/**
 * Saves a customer's attempts to pay with their outcome and the next retry. Repeating it changes nothing. Runs in the
 * transaction of `em`, which must hold the lock on `user`.
 */
export async function recordPaymentAttempts(
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
