import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { ProviderEvent } from "#api/platform/payments/provider-data.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { PaymentNotice } from "./payment-notice.entity.ts";
import { otherPayments } from "./other-payments.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Receives a webhook event from the provider: verifies, stores and applies it before acknowledging it
 * (docs/domain.md#provider). Events that were applied before are acknowledged immediately.
 * @throws AppError BAD_USER_INPUT if the signature is invalid or too old; UNAVAILABLE if the event couldn't be applied,
 * which makes the provider send it again.
 */
export async function receiveProviderEvent(context: Context, body: Buffer, signature: string): Promise<void> {
  const notice = parseEvent(context, body, signature);
  if (!notice) return;
  await storeProviderEvent(context, notice);
  await applyProviderEvent(context, notice.id);
}

function parseEvent(context: Context, body: Buffer, signature: string): ProviderEvent | null {
  try {
    return context.payments.parseWebhookEvent(body, signature, context.clock.now());
  } catch (error) {
    reportSecurityEvent(context, { type: "payment-notice.forged", detail: { reason: "signature" } });
    throw error;
  }
}

/** Stores an event in the inbox. @returns false if it is already there. */
export async function storeProviderEvent(context: Context, notice: ProviderEvent): Promise<boolean> {
  const kept = await query(
    context.em,
    `insert into payment_notices (id, type, customer_id, charge_id, created_at, received_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing returning id`,
    [notice.id, notice.type, notice.customerId, notice.chargeId, notice.createdAt, context.clock.now()],
  );
  return kept.length > 0;
}

/** Event types that can change a subscription, payment or refund. Other types only add detail. */
const relevantTypes = [
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
  return relevantTypes.some((beginning) => type.startsWith(beginning));
}

/** Applies a stored event by reading its customer from the provider again. Idempotent. */
export async function applyProviderEvent(context: Context, noticeId: string): Promise<void> {
  const em = context.em.fork();
  const notice = await em.findOne(PaymentNotice, noticeId);
  if (!notice || notice.appliedAt) return;
  if (isRelevant(notice.type)) {
    const customerId =
      notice.customerId ?? (notice.chargeId ? await context.payments.findCustomerOfCharge(notice.chargeId) : null);
    if (customerId) await syncCustomer(context, customerId);
  }
  if (notice.type.startsWith("payment_intent.") && notice.customerId)
    await otherPayments.get()(context, notice.customerId);
  notice.appliedAt = context.clock.now();
  await em.flush();
}
