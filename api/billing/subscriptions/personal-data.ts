import { DAY } from "#api/platform/clock.ts";
import { labelCancellationReason } from "#schema/subscription.ts";
import { createAnonymizePart, exportRows, type PersonalData } from "#api/platform/database/personal-data.ts";
import { PaymentAttempt } from "./payment-attempt.entity.ts";
import { Subscription } from "./subscription.entity.ts";
import { SubscriptionCancellation } from "./subscription-changes.entity.ts";

export const subscriptionData: PersonalData = {
  tables: {
    payment_attempts: { erasedBy: "attempt-cards" },
    subscription_cancellations: { erasedBy: "cancellation-comments" },
    subscription_actions: { erasedBy: "action-reasons" },
  },
  retention: [
    // The payment provider resends an event for at most 30 days. Events that aren't applied yet are kept.
    { table: "payment_notices", endedAt: "applied_at", keptMs: 90 * DAY },
  ],
  erasure: [
    createAnonymizePart(
      "cards",
      "Card details of subscriptions",
      "subscriptions",
      `update subscriptions set card_brand = null, card_last4 = null, card_expires = null where id in (
         select id from subscriptions
          where user_id = :user and num_nonnulls(card_brand, card_last4, card_expires) > 0 limit :limit)`,
    ),
    createAnonymizePart(
      "attempt-cards",
      "Card details of payments",
      "payment_attempts",
      `update payment_attempts set card_brand = null, card_last4 = null where id in (
         select id from payment_attempts
          where user_id = :user and num_nonnulls(card_brand, card_last4) > 0 limit :limit)`,
    ),
    createAnonymizePart(
      "cancellation-comments",
      "Comments on cancelled subscriptions",
      "subscription_cancellations",
      `update subscription_cancellations set comment = null where id in (
         select c.id from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
          where s.user_id = :user and c.comment is not null limit :limit)`,
    ),
    createAnonymizePart(
      "action-reasons",
      "Reasons that staff gave for changes to subscriptions",
      "subscription_actions",
      `update subscription_actions set reason = null where id in (
         select a.id from subscription_actions a join subscriptions s on s.id = a.subscription_id
          where s.user_id = :user and a.reason is not null limit :limit)`,
    ),
  ],
  exported: {
    subscriptions: exportRows(Subscription, { orderBy: { startedAt: "desc" } }, [
      "planPrice",
      "status",
      "amountCents",
      "startedAt",
      "currentPeriodEndsAt",
      "isCancelledAtPeriodEnd",
      "pausedUntil",
      "nextPlanPrice",
      "endedAt",
      "cardBrand",
      "cardLast4",
      "cardExpires",
    ]),
    cardPayments: exportRows(PaymentAttempt, { orderBy: { at: "desc" } }, [
      "at",
      "amountCents",
      "refundedCents",
      "reason",
      "cardBrand",
      "cardLast4",
    ]),
    cancelledSubscriptions: exportRows(
      SubscriptionCancellation,
      { of: (user) => ({ subscription: { user } }), orderBy: { cancelledAt: "desc", id: "desc" } },
      ({ cancelledAt, withdrawnAt, reason, comment }) => ({
        cancelledAt,
        withdrawnAt,
        reason: reason && labelCancellationReason(reason),
        comment,
      }),
    ),
  },
  kept: [
    {
      title: "Subscriptions",
      table: "subscriptions",
      reason: "Plans, dates and amounts are part of our accounts. Card details are removed.",
    },
    { title: "Checkouts", table: "checkouts", reason: "They are part of our accounts." },
    {
      title: "Customer ID at the payment provider",
      table: "payment_customers",
      reason: "We need it for late refunds and disputes.",
    },
  ],
};
