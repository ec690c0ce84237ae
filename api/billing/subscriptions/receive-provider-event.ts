import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { assertPaymentsOn } from "#api/platform/payments/payments.ts";
import { type ProviderEvent, providerEventTypes } from "#api/platform/payments/provider-data.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { finishPaymentsOfCustomer } from "#api/billing/payments/finish-card-payment.ts";
import { syncCustomer } from "./sync-customer.ts";

/**
 * Receives a webhook event from the provider: verifies, stores and applies it before acknowledging it
 * (docs/domain.md#provider). Events that were applied before are acknowledged immediately.
 * @throws AppError BAD_USER_INPUT if the signature is invalid or too old; UNPROCESSABLE if card payments are off; UNAVAILABLE
 * if the event couldn't be applied, which makes the provider send it again.
 */
export async function receiveProviderEvent(context: Context, body: Buffer, signature: string): Promise<void> {
  assertPaymentsOn(context.payments);
  const notice = parseEvent(context, body, signature);
  if (!notice) return;
  await storeProviderEvents(context, [notice]);
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

/** Stores events in the inbox. @returns the number of events that weren't there yet */
export async function storeProviderEvents(context: Context, notices: readonly ProviderEvent[]): Promise<number> {
  const kept = await query(
    context.em,
    `insert into payment_notices (id, type, customer_id, charge_id, created_at, received_at)
     select id, type, "customerId", "chargeId", "createdAt", $2
       from jsonb_to_recordset($1) as r(id text, type text, "customerId" text, "chargeId" text, "createdAt" timestamptz)
     on conflict (id) do nothing returning id`,
    [JSON.stringify(notices), context.clock.now()],
  );
  return kept.length;
}

/** Returns whether events of a type can change a subscription, payment or refund. Others can complete the payment of an invoice. */
const isAboutSubscription = (type: string) =>
  !type.startsWith("payment_intent.") && (providerEventTypes as readonly string[]).includes(type);

/**
 * Applies a stored event by reading its customer from the provider again. That also applies the customer's other events
 * that are already stored. Idempotent.
 */
export async function applyProviderEvent(context: Context, noticeId: string): Promise<void> {
  const [notice] = await query<{ customerId: string | null; chargeId: string | null }>(
    context.em,
    `select customer_id as "customerId", charge_id as "chargeId" from payment_notices
      where id = $1 and applied_at is null`,
    [noticeId],
  );
  if (!notice) return;
  const customerId =
    notice.customerId ?? (notice.chargeId ? await context.payments.findCustomerOfCharge(notice.chargeId) : null);
  await applyInTurn(customerId ?? noticeId, () => applyWaitingEvents(context, noticeId, customerId));
}

/** The latest application of each customer's events in this process. */
const latest = new Map<string, Promise<void>>();

/** Applies a customer's events after those that are being applied. Most often these include the new ones. */
async function applyInTurn(key: string, apply: () => Promise<void>): Promise<void> {
  const previous = latest.get(key) ?? Promise.resolve();
  const turn = previous.catch(() => {}).then(apply);
  latest.set(key, turn);
  try {
    await turn;
  } finally {
    if (latest.get(key) === turn) latest.delete(key);
  }
}

async function applyWaitingEvents(context: Context, noticeId: string, customerId: string | null): Promise<void> {
  // Listed before the customer is read, so that the read includes all of them.
  const waiting = await query<{ id: string; type: string }>(
    context.em,
    "select id, type from payment_notices where applied_at is null and (id = $1 or customer_id = $2)",
    [noticeId, customerId],
  );
  if (customerId && waiting.some(({ type }) => isAboutSubscription(type))) await syncCustomer(context, customerId);
  if (customerId && waiting.some(({ type }) => type.startsWith("payment_intent.")))
    await finishPaymentsOfCustomer(context, customerId);
  await query(context.em, "update payment_notices set applied_at = $2 where id = any($1) and applied_at is null", [
    waiting.map(({ id }) => id),
    context.clock.now(),
  ]);
}
