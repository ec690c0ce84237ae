import { randomUUID } from "node:crypto";
import type { CancellationReasonCode } from "#schema/subscription.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import type { SubscriptionCancellation } from "./subscription-cancellation.entity.ts";

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
