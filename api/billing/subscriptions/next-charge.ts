import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { findPlanPrice } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import type { Subscription } from "./subscription.entity.ts";

type Charged = Pick<
  Subscription,
  | "id"
  | "planPrice"
  | "nextPlanPrice"
  | "amountCents"
  | "nextAmountCents"
  | "gstBasisPoints"
  | "isCancelledAtPeriodEnd"
  | "currentPeriodEndsAt"
>;

/** Returns our subscription `id` as the provider reports it, with the values that {@link findNextChargeCents} needs. */
export function toCharged({ id }: Pick<Subscription, "id">, found: ProviderSubscription): Charged {
  const { priceId, nextPriceId, amountCents, nextAmountCents, gstBasisPoints, isCancelledAtPeriodEnd } = found;
  return {
    id,
    planPrice: priceId,
    nextPlanPrice: nextPriceId,
    amountCents,
    nextAmountCents,
    gstBasisPoints,
    isCancelledAtPeriodEnd,
    currentPeriodEndsAt: found.periodEnd,
  };
}

/**
 * Returns the amount of a subscription's next payment in cents, including GST; null if it is cancelled or unknown. Renewals
 * keep the original price, unless another one was announced for the next period.
 */
export async function findNextChargeCents(em: EntityManager, subscription: Charged): Promise<number | null> {
  const { planPrice, nextPlanPrice, nextAmountCents, gstBasisPoints, isCancelledAtPeriodEnd } = subscription;
  if (isCancelledAtPeriodEnd) return null;
  const samePlanCents = async () => (await findMovedCents(em, subscription)) ?? subscription.amountCents;
  const amountCents =
    nextAmountCents ??
    (nextPlanPrice ? null : await samePlanCents()) ??
    (await findPlanPrice(em, nextPlanPrice ?? planPrice))?.audCents;
  return amountCents === undefined ? null : addGst(amountCents, gstBasisPoints);
}

/** Returns the price that was announced for the next payment and that the provider doesn't have yet, in cents without GST. */
async function findMovedCents(
  em: EntityManager,
  { id, currentPeriodEndsAt, amountCents }: Charged,
): Promise<number | null> {
  const [move] = await query<{ cents: number }>(
    em,
    `select aud_cents as cents from price_moves
      where subscription_id = $1 and state = 'queued' and renews_at <= $2 and from_cents = $3`,
    [id, currentPeriodEndsAt, amountCents],
  );
  return move?.cents ?? null;
}

/**
 * Queues the price again that was announced to a subscriber, because a pause or a change of plan that the customer withdrew
 * removed it at the provider. Does nothing if none was announced.
 */
export async function requeueMove(
  em: EntityManager,
  { id, planPrice, amountCents }: Pick<Subscription, "id" | "planPrice" | "amountCents">,
  now: Date,
): Promise<void> {
  await query(
    em,
    `update price_moves m set state = 'queued'
      where m.state <> 'queued' and m.renews_at > $2 and m.plan_price = $3 and m.from_cents = $4
        and exists (select from mails where dedupe_key = 'price-move:' || m.id)
        and m.id = (select id from price_moves where subscription_id = $1 order by created_at desc, id limit 1)`,
    [id, now, planPrice, amountCents],
  );
}
