import { formatAud } from "#schema/money.ts";
import { lockInvoice } from "#api/billing/invoices/lock-invoice.ts";
import { addMilliseconds, DAY, MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { CardRefusedError } from "#api/platform/payments/payments.ts";
import type { ProviderPayment } from "#api/platform/payments/provider-data.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { findPaymentCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import type { PaymentOutcome } from "#api/billing/subscriptions/subscribe.ts";
import { CardPayment } from "./payment.entity.ts";
import { applyPayment } from "./record-payment.ts";

/**
 * Time after which the sweep finishes a payment whose request was interrupted. A slow request makes four calls of at most
 * 20 seconds up to the charge. A payment that was given up before could still be charged.
 */
const RESUME_AFTER_MS = 85 * SECOND;
/** Time a customer has to authenticate with the bank. */
const AUTHENTICATION_MS = 25 * MINUTE;
/** Age up to which a notice of the provider can still complete a payment. */
const LATE_NOTICE_MS = 30 * DAY;
const BATCH_SIZE = 50;

const INTERRUPTED = "The payment was interrupted. Your card wasn't charged.";

interface Options {
  /** Charges the card if no charge was attempted yet. Only while the customer is waiting for it. */
  readonly charges?: boolean;
  /** Gives up a payment that the provider doesn't know. */
  readonly givesUp?: boolean;
}

/**
 * Reads a card payment from the provider and records its outcome once: the payment, the invoice's state, the licence and
 * the receipt in one transaction. Money for an invoice that was paid or voided in the meantime becomes credit
 * (docs/domain.md#card-payments). Idempotent.
 * @throws AppError UNAVAILABLE if the provider is unreachable. The payment is then finished later.
 */
export async function finishCardPayment(context: Context, id: string, options: Options = {}): Promise<PaymentOutcome> {
  const em = context.em.fork();
  const payment = await em.findOneOrFail(CardPayment, id, { populate: ["invoice.taxInvoice"], refresh: true });
  const customerId = await findPaymentCustomer({ em }, payment.user.id);
  if (!customerId || payment.state === "paid" || payment.state === "declined") return toOutcome(payment, null);
  const found = await readPayment(context, payment, customerId, options);
  await inTransaction(context, (tx) => applyFound(context, tx, payment, found));
  return toOutcome(await context.em.fork().findOneOrFail(CardPayment, id), found);
}

type Found = Pick<ProviderPayment, "state" | "message" | "clientSecret"> & Partial<ProviderPayment>;

async function readPayment(
  { payments }: Context,
  { id: paymentId, state, amountCents, invoice, paymentMethodId }: CardPayment,
  customerId: string,
  { charges = false, givesUp = false }: Options,
): Promise<Found | null> {
  if (!charges || state !== "pending") {
    const found = await payments.findCardPayment({ customerId, paymentId });
    return found ?? (givesUp ? { state: "cancelled", message: null, clientSecret: null } : null);
  }
  const description = `Invoice ${invoice.taxInvoice?.number}`;
  try {
    return await payments.payByCard({ customerId, paymentMethodId, amountCents, description, paymentId });
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    return { state: "declined", message: error.message, clientSecret: null };
  }
}

async function applyFound(context: Context, em: EntityManager, given: CardPayment, found: Found | null): Promise<void> {
  if (!found || found.state === "processing") return;
  const { invoice, user } = await lockInvoice(em, given.invoice.id);
  const payment = await em.findOneOrFail(CardPayment, given.id, { refresh: true });
  // Another request, the sweep or a notice was faster.
  if (payment.state === "paid") return;
  payment.providerPaymentId = found.id ?? null;
  if (found.state === "needs_authentication") {
    // Given up already, so the invoice may have another waiting payment.
    if (payment.finishedAt) return;
    payment.state = "needs_authentication";
    return em.flush();
  }
  payment.finishedAt = context.clock.now();
  if (found.state !== "paid") {
    const isNew = payment.state !== "declined";
    payment.state = found.state === "declined" ? "declined" : "failed";
    payment.message = found.message ?? INTERRUPTED;
    // A card that can't be used is refused without an attempt to charge it, and so without a reason of the bank.
    if (payment.state === "declined" && isNew && found.reason) await recordDecline(context, em, payment, found.reason);
    return em.flush();
  }
  payment.state = "paid";
  const { creditCents } = await applyPayment(context, em, user, invoice, {
    key: `card-${payment.id}`,
    method: "card",
    amountCents: payment.amountCents,
    receivedAt: found.paidAt ?? payment.finishedAt,
    reference: found.card ? `${found.card.brand} ending ${found.card.last4}` : null,
    providerPaymentId: payment.providerPaymentId,
  });
  payment.message =
    creditCents > 0
      ? `Invoice ${invoice.taxInvoice?.number} was paid or cancelled in the meantime. ${formatAud(creditCents)} of your payment is now credit for your next invoices.`
      : null;
  await em.flush();
}

function recordDecline(
  context: Context,
  em: EntityManager,
  { id, user, amountCents, createdAt: attemptedAt }: CardPayment,
  reason: string,
): Promise<void> {
  const payment = { id, subscriptionId: null, amountCents, reason, attemptedAt, nextRetryAt: null };
  const data = { userId: user.id, payment };
  return recordWebhookEvents(context, em, [{ type: "payment.failed", userId: user.id, data }]);
}

function toOutcome({ id, state, message }: CardPayment, found: Found | null): PaymentOutcome {
  if (state === "paid") return { state: "done", message, id: null, clientSecret: null };
  if (state === "needs_authentication" && found?.clientSecret)
    return { state: "needs_authentication", message: null, id, clientSecret: found.clientSecret };
  const fallback = "Your payment isn't complete yet. Reload the page in a minute.";
  return { state: "declined", message: message ?? fallback, id: null, clientSecret: null };
}

/** Completes the newest card payments of a customer that the provider reports something about. */
export async function finishPaymentsOfCustomer(context: Context, customerId: string): Promise<void> {
  const waiting = await query<{ id: string }>(
    context.em,
    `select p.id from card_payments p join payment_customers c on c.user_id = p.user_id
      where c.provider_customer_id = $1 and p.created_at > $2 and p.state in ('pending', 'needs_authentication', 'failed')
      order by p.created_at desc limit ${BATCH_SIZE}`,
    [customerId, addMilliseconds(context.clock.now(), -LATE_NOTICE_MS)],
  );
  for (const { id } of waiting) await finishCardPayment(context, id);
}

/**
 * Finishes card payments whose request was interrupted, for example because the process stopped, and cancels those that
 * were never confirmed with the bank, or whose account was closed, so that it gets no licence. Never charges a card.
 */
export const finishCardPayments: Sweep = {
  name: "finish-card-payments",
  everySeconds: 20,
  async run(context) {
    const now = context.clock.now();
    const readBatch = (afterId: string | null) =>
      query<{ id: string; userId: string; isWaiting: boolean }>(
        context.em,
        `select p.id, p.user_id as "userId", p.state = 'needs_authentication' as "isWaiting"
           from card_payments p join users u on u.id = p.user_id
          where ((p.state = 'pending' and p.created_at < $1)
              or (p.state = 'needs_authentication' and (p.created_at < $2 or u.archived_at is not null)))
            and ($3::uuid is null or p.id > $3)
          order by p.id limit ${BATCH_SIZE}`,
        [addMilliseconds(now, -RESUME_AFTER_MS), addMilliseconds(now, -AUTHENTICATION_MS), afterId],
      );
    return finishAll(context, readBatch, async ({ id, userId, isWaiting }) => {
      const customerId = isWaiting ? await findPaymentCustomer(context, userId) : null;
      if (customerId) await context.payments.cancelCardPayment({ customerId, paymentId: id });
      await finishCardPayment(context, id, { givesUp: true });
      return (await context.em.fork().findOneOrFail(CardPayment, id)).finishedAt !== null;
    });
  },
};
