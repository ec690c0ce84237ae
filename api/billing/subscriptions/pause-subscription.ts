import { explainPauseDay, getStartOfDay } from "#schema/days.ts";
import { formatSellerDate } from "#schema/dates.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { getProviderSubscriptionId } from "./change-subscription.ts";
import { getRunningSubscription, type Subscription } from "./subscription.entity.ts";
import { syncUser } from "./sync-customer.ts";

/**
 * Returns the time at which a pause until a day, `YYYY-MM-DD` in the vendor's time zone, ends: the start of that day.
 * @throws AppError BAD_USER_INPUT unless the day is tomorrow or later, and at most 3 months ahead.
 */
export function toPauseEnd({ clock }: Pick<Context, "clock">, day: string, field = "until"): Date {
  const refusal = explainPauseDay(day, clock.now());
  if (refusal) throw badInput({ [field]: [refusal] });
  return getStartOfDay(day);
}

/**
 * Returns why a subscription can't be paused until a time, in words; null if it can, or if it already is
 * (docs/domain.md#pause). An overdue payment isn't a reason, because staff may pause then.
 */
export function explainNoPause(subscription: Subscription, until: Date | null): string | null {
  const { pausedUntil, isCancelledAtPeriodEnd, nextPlanPrice, disputedAt } = subscription;
  if (pausedUntil && pausedUntil.getTime() === until?.getTime()) return null;
  if (pausedUntil)
    return `This subscription is already paused until ${formatSellerDate(pausedUntil)}. Resume it first.`;
  if (isCancelledAtPeriodEnd) return "This subscription is cancelled. Resume it before you pause it.";
  if (nextPlanPrice)
    return "A change of plan is scheduled for the next payment. Keep the current plan before you pause.";
  return disputedAt ? "A payment for this subscription is disputed, so it can't be paused." : null;
}

/**
 * Pauses the caller's subscription until a day. The licence is suspended and nothing is charged until then. Idempotent.
 * @throws AppError BAD_USER_INPUT as {@link toPauseEnd}; CONFLICT without a running subscription, or if it can't be
 * paused; UNAVAILABLE if the provider is unreachable.
 */
export async function pauseSubscription(context: Context, day: string): Promise<void> {
  const subscription = await getRunningSubscription(context);
  const subscriptionId = getProviderSubscriptionId(subscription);
  const until = toPauseEnd(context, day);
  if (subscription.status === "past_due")
    throw conflict("Your last payment failed. Please update your payment details before you pause your subscription.");
  const refusal = explainNoPause(subscription, until);
  if (refusal) throw conflict(refusal);
  const now = context.clock.now();
  const isPaused = await context.payments.pauseSubscription({ subscriptionId, until, now, voidsUnpaid: false });
  await syncUser(context, subscription.user.id);
  if (!isPaused) throw conflict("A payment for your subscription isn't complete yet. Please try again in an hour.");
}

/**
 * Ends the pause of the caller's subscription before its time. Idempotent.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE if the provider is unreachable.
 */
export async function endSubscriptionPause(context: Context): Promise<void> {
  const subscription = await getRunningSubscription(context);
  const subscriptionId = getProviderSubscriptionId(subscription);
  await context.payments.endPause({ subscriptionId, now: context.clock.now() });
  await syncUser(context, subscription.user.id);
}
