import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import type { Subscription } from "./subscription.entity.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { SubscriptionData, SubscriptionChange } from "#api/webhooks/endpoints/webhook-data.ts";
import { randomUUID } from "node:crypto";
import type { CancellationReasonCode } from "#schema/subscription.ts";
import type { SubscriptionCancellation } from "./subscription-changes.entity.ts";

/** Copies the values of a subscription that {@link findSubscriptionChanges} compares, because the row changes later. */
export const takeSubscriptionSnapshot = (subscription: Subscription) =>
  pick(
    subscription,
    "status",
    "planPrice",
    "nextPlanPrice",
    "isCancelledAtPeriodEnd",
    "pausedUntil",
    "paidUntil",
    "disputedAt",
  );
export type SubscriptionSnapshot = Readonly<ReturnType<typeof takeSubscriptionSnapshot>>;

/** Returns the changes to a subscription between two syncs; empty if nothing relevant changed. */
export function findSubscriptionChanges(before: SubscriptionSnapshot, now: SubscriptionSnapshot): SubscriptionChange[] {
  if (now.status === "cancelled") return before.status === "cancelled" ? [] : ["ended"];
  const isPlanChanged = now.planPrice !== before.planPrice;
  const isChangedNow = isPlanChanged && now.planPrice !== before.nextPlanPrice;
  const isPaidFurther = now.paidUntil !== null && before.paidUntil !== null && now.paidUntil > before.paidUntil;
  const isPauseChanged = now.pausedUntil?.getTime() !== before.pausedUntil?.getTime();
  const happened: [SubscriptionChange, boolean][] = [
    ["plan-changed", isPlanChanged],
    ["plan-change-planned", now.nextPlanPrice !== null && now.nextPlanPrice !== before.nextPlanPrice],
    ["plan-change-withdrawn", now.nextPlanPrice === null && before.nextPlanPrice !== null && !isPlanChanged],
    ["renewed", isPaidFurther && !isChangedNow && !isPauseChanged],
    ["payment-failed", now.status === "past_due" && before.status === "active"],
    // Pausing cancels an overdue payment.
    ["payment-recovered", now.status === "active" && before.status === "past_due" && !isPauseChanged],
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
  return {
    id: subscription.id,
    licenceId: subscription.licence.id,
    priceId: subscription.planPrice,
    nextPriceId: subscription.nextPlanPrice,
    ...pick(subscription, "status", "isCancelledAtPeriodEnd", "pausedUntil", "startedAt", "currentPeriodEndsAt"),
    ...pick(subscription, "paidUntil", "endedAt"),
  };
}

/** A customer's reason for cancelling, as given. */
export type GivenReason = Pick<SubscriptionCancellation, "comment"> & { reason: CancellationReasonCode | null };

/**
 * Records that a customer cancelled a subscription, and why. A repeated request updates the cancellation in force, and
 * keeps its reason if the request gives none.
 */
export async function recordCancellation(context: Context, subscriptionId: string, given: GivenReason): Promise<void> {
  await query(
    context.em.fork(),
    `insert into subscription_cancellations (id, subscription_id, cancelled_at, reason, comment) values ($1, $2, $3, $4, $5)
     on conflict (subscription_id) where withdrawn_at is null do update
       set reason = coalesce(excluded.reason, subscription_cancellations.reason),
           comment = coalesce(excluded.comment, subscription_cancellations.comment)`,
    [randomUUID(), subscriptionId, context.clock.now(), given.reason, given.comment],
  );
}

/** Marks the cancellation in force as withdrawn, because the customer resumed the subscription. */
export async function withdrawCancellation(context: Context, subscriptionId: string): Promise<void> {
  await query(
    context.em.fork(),
    `update subscription_cancellations set withdrawn_at = $2 where subscription_id = $1 and withdrawn_at is null`,
    [subscriptionId, context.clock.now()],
  );
}
