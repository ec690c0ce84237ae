import { type EntityManager, query } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { findPlanPrice } from "#api/billing/plans/plan.entity.ts";
import { calculateQuote } from "#api/billing/plans/price-quote.ts";
import type { Subscription } from "./subscription.entity.ts";

type Charged = Pick<
  Subscription,
  "planPrice" | "nextPlanPrice" | "amountCents" | "nextAmountCents" | "gstBasisPoints" | "isCancelledAtPeriodEnd"
>;

/** Returns the values that {@link findNextChargeCents} needs of a subscription as the provider reports it. */
export function toCharged(found: ProviderSubscription): Charged {
  const { priceId, nextPriceId, amountCents, nextAmountCents, gstBasisPoints, isCancelledAtPeriodEnd } = found;
  return {
    planPrice: priceId,
    nextPlanPrice: nextPriceId,
    amountCents,
    nextAmountCents,
    gstBasisPoints,
    isCancelledAtPeriodEnd,
  };
}

/**
 * Returns the amount of a subscription's next payment in cents, including GST; null if it is cancelled or unknown. Renewals
 * keep the original price, unless the payment provider has another one for the next period.
 */
export async function findNextChargeCents(em: EntityManager, subscription: Charged): Promise<number | null> {
  const { planPrice, nextPlanPrice, nextAmountCents, gstBasisPoints, isCancelledAtPeriodEnd } = subscription;
  if (isCancelledAtPeriodEnd) return null;
  const next = await findPlanPrice(em, nextPlanPrice ?? planPrice);
  const amountCents = nextAmountCents ?? (nextPlanPrice ? null : subscription.amountCents) ?? next?.audCents;
  return amountCents === undefined ? null : calculateQuote({ amountCents, discount: null, gstBasisPoints }).totalCents;
}

/**
 * Returns the amount of our subscription's next payment as {@link findNextChargeCents} does, with a new price that was
 * announced for it and that the provider doesn't have yet, because the subscription is paused.
 */
export async function findNextChargeOf(em: EntityManager, subscription: Subscription): Promise<number | null> {
  const [move] = await query<{ cents: number }>(
    em,
    `select aud_cents as cents from price_moves
      where subscription_id = $1 and state = 'queued' and renews_at <= $2 and from_cents = $3`,
    [subscription.id, subscription.currentPeriodEndsAt, subscription.amountCents],
  );
  return findNextChargeCents(em, {
    ...pick(subscription, "planPrice", "nextPlanPrice", "amountCents", "gstBasisPoints", "isCancelledAtPeriodEnd"),
    nextAmountCents: subscription.nextAmountCents ?? move?.cents ?? null,
  });
}
