import type { SubscriptionData } from "#api/webhooks/endpoints/webhook-data.ts";
import type { Subscription } from "./subscription.entity.ts";

/** What is said of a subscription. */
export function subscriptionData(subscription: Subscription): SubscriptionData {
  const { id, planPrice, nextPlanPrice, status, isCancelledAtPeriodEnd } = subscription;
  const { licence, startedAt, currentPeriodEndsAt, paidUntil, endedAt } = subscription;
  return {
    id,
    licenceId: licence.id,
    priceId: planPrice,
    nextPriceId: nextPlanPrice,
    status,
    isCancelledAtPeriodEnd,
    startedAt,
    currentPeriodEndsAt,
    paidUntil,
    endedAt,
  };
}
