import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { Subscription } from "./subscription.entity.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { SubscriptionData, SubscriptionChange } from "#api/webhooks/endpoints/webhook-data.ts";

/** The values that {@link findSubscriptionChanges} compares. */
export type SubscriptionSnapshot = Readonly<
  Pick<
    Subscription,
    | "status"
    | "planPrice"
    | "nextPlanPrice"
    | "isCancelledAtPeriodEnd"
    | "pausedUntil"
    | "paidUntil"
    | "disputedAt"
    | "endedAt"
  >
>;

/** Copies a subscription's current values for {@link findSubscriptionChanges}, because the row changes later. */
export function takeSubscriptionSnapshot(subscription: Subscription): SubscriptionSnapshot {
  const { status, planPrice, nextPlanPrice, isCancelledAtPeriodEnd, pausedUntil } = subscription;
  const { paidUntil, disputedAt, endedAt } = subscription;
  return { status, planPrice, nextPlanPrice, isCancelledAtPeriodEnd, pausedUntil, paidUntil, disputedAt, endedAt };
}

/** Returns the changes to a subscription between two syncs; empty if nothing relevant changed. */
export function findSubscriptionChanges(before: SubscriptionSnapshot, now: SubscriptionSnapshot): SubscriptionChange[] {
  if (now.status === "cancelled") return before.status === "cancelled" ? [] : ["ended"];
  const isPlanChanged = now.planPrice !== before.planPrice;
  const isPaidFurther = now.paidUntil !== null && before.paidUntil !== null && now.paidUntil > before.paidUntil;
  const isPauseChanged = now.pausedUntil?.getTime() !== before.pausedUntil?.getTime();
  const happened: [SubscriptionChange, boolean][] = [
    ["plan-changed", isPlanChanged],
    ["plan-change-planned", now.nextPlanPrice !== null && now.nextPlanPrice !== before.nextPlanPrice],
    ["plan-change-withdrawn", now.nextPlanPrice === null && before.nextPlanPrice !== null && !isPlanChanged],
    ["renewed", isPaidFurther && !isPlanChanged && !isPauseChanged],
    ["payment-failed", now.status === "past_due" && before.status === "active"],
    ["payment-recovered", now.status === "active" && before.status === "past_due"],
    ["payment-disputed", now.disputedAt !== null && before.disputedAt === null],
    ["dispute-closed", now.disputedAt === null && before.disputedAt !== null],
    ["cancelled", now.isCancelledAtPeriodEnd && !before.isCancelledAtPeriodEnd],
    ["paused", isPauseChanged && now.pausedUntil !== null],
    ["pause-ended", now.pausedUntil === null && before.pausedUntil !== null],
    ["resumed", !now.isCancelledAtPeriodEnd && before.isCancelledAtPeriodEnd],
  ];
  return happened.filter(([, has]) => has).map(([what]) => what);
}

/** Records a webhook event for changes to a subscription, if there are any, in the transaction of `em`. */
export async function recordSubscriptionChange(
  context: Context,
  em: EntityManager,
  subscription: Subscription,
  changes: SubscriptionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const userId = subscription.user.id;
  const data = { userId, changes, subscription: subscriptionData(subscription) };
  await recordWebhookEvents(context, em, [{ type: "subscription.changed", userId, data }]);
}

function subscriptionData(subscription: Subscription): SubscriptionData {
  const { id, planPrice, nextPlanPrice, status, isCancelledAtPeriodEnd } = subscription;
  const { licence, startedAt, currentPeriodEndsAt, pausedUntil, paidUntil, endedAt } = subscription;
  return {
    id,
    licenceId: licence.id,
    priceId: planPrice,
    nextPriceId: nextPlanPrice,
    status,
    isCancelledAtPeriodEnd,
    pausedUntil,
    startedAt,
    currentPeriodEndsAt,
    paidUntil,
    endedAt,
  };
}
