import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { ProviderNotice } from "#api/platform/payments/payments.ts";
import { PaymentNotice } from "./payment-notice.entity.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Takes a notice of the provider: verified, kept, applied, and only then acknowledged (docs/domain.md#provider). One
 * that came before is acknowledged at once.
 * @throws AppError BAD_USER_INPUT for a wrong or old signature; UNAVAILABLE when it could not be applied, so that the
 * provider sends it again.
 */
export async function receiveNotice(context: Context, body: Buffer, signature: string): Promise<void> {
  const notice = context.payments.readNotice(body, signature, context.clock.now());
  await keepNotice(context, notice);
  await applyNotice(context, notice.id);
}

/** Puts a notice into the inbox. @returns false when it is there already. */
export async function keepNotice(context: Context, notice: ProviderNotice): Promise<boolean> {
  const kept = await query(
    context.em,
    `insert into payment_notices (id, type, customer_id, charge_id, created_at, received_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing returning id`,
    [notice.id, notice.type, notice.customerId, notice.chargeId, notice.createdAt, context.clock.now()],
  );
  return kept.length > 0;
}

/** What may have changed a subscription, a payment or a refund; the rest only says more of the same. */
const relevant = [
  "customer.subscription.",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.voided",
  "invoice.marked_uncollectible",
  "charge.refund",
  "charge.dispute.",
  "refund.",
];

function isRelevant(type: string): boolean {
  return relevant.some((beginning) => type.startsWith(beginning));
}

/** Reads again whatever a notice in the inbox is about. Doing it twice changes nothing. */
export async function applyNotice(context: Context, noticeId: string): Promise<void> {
  const em = context.em.fork();
  const notice = await em.findOne(PaymentNotice, noticeId);
  if (!notice || notice.appliedAt) return;
  if (isRelevant(notice.type)) {
    const customerId =
      notice.customerId ?? (notice.chargeId ? await context.payments.customerOfCharge(notice.chargeId) : null);
    if (customerId) await syncCustomer(context, customerId);
  }
  notice.appliedAt = context.clock.now();
  await em.flush();
}
