import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailUser, emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { paymentFailed } from "#api/messaging/emails/templates/payment-failed.tsx";
import { subscriptionCancelled } from "#api/messaging/emails/templates/subscription-cancelled.tsx";
import { subscriptionEnded } from "#api/messaging/emails/templates/subscription-ended.tsx";
import { subscriptionResumed } from "#api/messaging/emails/templates/subscription-resumed.tsx";
import { findPlanName, findPlanPrices, formatPlanPriceId } from "#api/billing/plans/plan.entity.ts";
import { findNextChargeCents, findNextPaymentCents, toCharged } from "./next-charge.ts";
import { getPaidUntil, isUnpaid } from "./payment-rules.ts";
import type { Subscription } from "./subscription.entity.ts";
import { planChanged } from "#api/messaging/emails/templates/plan-changed.tsx";
import { findSubscriptionChanges, type SubscriptionSnapshot } from "./record-subscription-change.ts";

/**
 * Emails the customer about changes since the last sync (`before`): a failed renewal, a cancellation, its withdrawal or
 * the end of the subscription. Each email is sent only once, however often this runs. Receipts are sent with the tax invoices.
 * @param subscription the subscription after the sync, with its licence
 */
export async function emailPaymentChanges(
  context: Context,
  em: EntityManager,
  user: User,
  before: SubscriptionSnapshot,
  subscription: Subscription,
  found: ProviderSubscription,
): Promise<void> {
  // Closing an account sends its own email, and the other emails don't apply to a user who can't sign in.
  if (user.archivedAt) return;
  const plan = await findPlanName(em, found.priceId);
  const paidUntil = getPaidUntil(found) ?? found.periodEnd;
  const runsUntil = subscription.licence.expiresAt;
  const failed = found.invoices.find(isUnpaid);
  if (found.status === "past_due" && failed)
    await emailUserOnce(context, em, user, `payment-failed:${failed.id}`, paymentFailed, {
      plan,
      amountCents: failed.dueCents,
      runsUntil,
      nextRetryAt: failed.nextAttemptAt,
    });
  // These have no key, because a customer can cancel and resume several times in a period.
  if (found.isCancelledAtPeriodEnd && !before.isCancelledAtPeriodEnd && found.status !== "ended")
    await emailUser(context, em, user, subscriptionCancelled, {
      plan,
      endsAt: paidUntil,
      runsUntil,
      pausedUntil: subscription.pausedUntil,
      isDisputed: subscription.disputedAt !== null,
    });
  if (!found.isCancelledAtPeriodEnd && before.isCancelledAtPeriodEnd && found.status !== "ended")
    await emailUser(context, em, user, subscriptionResumed, {
      plan,
      nextPayment: {
        amountCents: await findNextPaymentCents(em, user.id, toCharged(subscription, found)),
        at: found.periodEnd,
      },
    });
  if (found.status === "ended" && before.status !== "cancelled")
    await emailUserOnce(context, em, user, `subscription-ended:${found.id}`, subscriptionEnded, {
      plan,
      wasCancelled: found.isCancelledAtPeriodEnd,
    });
}

/**
 * Emails the customer about a change of plan since the last sync (`before`): one that happened now, one that is planned
 * for the next payment, or one that no longer is. A planned change that takes effect has its own email, about the renewal,
 * and so has a cancellation, which removes the planned change.
 */
export async function emailPlanChange(
  context: Context,
  em: EntityManager,
  user: User,
  before: SubscriptionSnapshot,
  subscription: Subscription,
): Promise<void> {
  if (user.archivedAt) return;
  const changes = findSubscriptionChanges(before, subscription);
  const { planPrice, nextPlanPrice, currentPeriodEndsAt } = subscription;
  const isPlanned = changes.includes("plan-change-planned");
  const isChanged = changes.includes("plan-changed") && planPrice !== before.nextPlanPrice;
  const isWithdrawn = changes.includes("plan-change-withdrawn") && !subscription.isCancelledAtPeriodEnd;
  if (!isPlanned && !isChanged && !isWithdrawn) return;
  const previous = isWithdrawn ? (before.nextPlanPrice ?? planPrice) : before.planPrice;
  const [from, to] = isPlanned ? [planPrice, nextPlanPrice ?? planPrice] : [previous, planPrice];
  const prices = await findPlanPrices(em, [from, to]);
  // The payments of a change that happened now aren't recorded yet.
  const amountCents = await (isPlanned || isWithdrawn
    ? findNextPaymentCents(em, user.id, subscription)
    : findNextChargeCents(em, subscription));
  await emailUser(context, em, user, planChanged, {
    fromPlan: formatPlanPriceId(prices, from),
    toPlan: formatPlanPriceId(prices, to),
    startsAt: isPlanned ? currentPeriodEndsAt : null,
    isWithdrawn,
    nextPayment: { amountCents, at: currentPeriodEndsAt },
  });
}
