import { DAY } from "#api/platform/clock.ts";
import { labelCancellationReason } from "#schema/cancellation-reasons.ts";
import {
  CLOSING_PART,
  createBatchStatement,
  keepReasons,
  MAX_EXPORTED_ROWS,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";
import { SubscriptionCancellation } from "./subscription-cancellation.entity.ts";

export const subscriptionData: PersonalData = {
  tables: {
    checkouts: {
      kept: {
        [keepReasons.books]: "user_id plan_price promo_code provider_subscription_id",
        "ID of a card that is removed at the payment provider.": "payment_method_id",
      },
      impersonal:
        "id request_key state gst_basis_points aud_cents discount_cents total_cents message created_at ended_at",
    },
    payment_customers: {
      kept: {
        "Needed for late refunds and disputes.": "user_id provider_customer_id",
      },
      impersonal: "last_read last_applied",
    },
    payment_notices: {
      kept: { "Payment provider IDs, removed after 90 days.": "customer_id charge_id" },
      impersonal: "id type created_at received_at applied_at",
    },
    payment_attempts: {
      erased: { "attempt-cards": "card_brand card_last4" },
      kept: { [keepReasons.books]: "user_id subscription_id provider_charge_id provider_invoice_id" },
      impersonal: "id at number amount_cents refunded_cents reason next_retry_at",
    },
    subscription_cancellations: {
      erased: { "cancellation-comments": "comment" },
      impersonal: "id subscription_id cancelled_at reason withdrawn_at",
    },
    subscription_pauses: { impersonal: "id subscription_id paused_at until ended_at" },
    subscription_changes: { impersonal: "id subscription_id plan_price reckoned_at due_cents done_at" },
    subscriptions: {
      erased: { cards: "card_brand card_last4 card_expires", [CLOSING_PART]: "status" },
      kept: { [keepReasons.books]: "user_id licence_id provider_subscription_id" },
      impersonal:
        "id plan_price started_at current_period_ends_at amount_cents is_cancelled_at_period_end next_plan_price next_amount_cents paid_until ended_at disputed_at gst_basis_points cancellation_pending_since licence_extended_until paused_until moved_until",
    },
    subscription_actions: {
      erased: { "action-reasons": "reason" },
      kept: { [keepReasons.books]: "subscription_id requested_by_id" },
      impersonal: "id key kind days pause_until status message created_at finished_at",
    },
  },
  retention: [
    // The payment provider resends an event for at most 30 days. Events that aren't applied yet are kept.
    { table: "payment_notices", endedAt: "applied_at", keptMs: 90 * DAY },
  ],
  erasure: [
    {
      name: "cards",
      title: "Card details of subscriptions",
      effect: "anonymized",
      table: "subscriptions",
      run: createBatchStatement(
        `update subscriptions set card_brand = null, card_last4 = null, card_expires = null where id in (
           select id from subscriptions
            where user_id = :user and num_nonnulls(card_brand, card_last4, card_expires) > 0 limit :limit)`,
      ),
    },
    {
      name: "attempt-cards",
      title: "Card details of payments",
      effect: "anonymized",
      table: "payment_attempts",
      run: createBatchStatement(
        `update payment_attempts set card_brand = null, card_last4 = null where id in (
           select id from payment_attempts
            where user_id = :user and num_nonnulls(card_brand, card_last4) > 0 limit :limit)`,
      ),
    },
    {
      name: "cancellation-comments",
      title: "Comments on cancelled subscriptions",
      effect: "anonymized",
      table: "subscription_cancellations",
      run: createBatchStatement(
        `update subscription_cancellations set comment = null where id in (
           select c.id from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
            where s.user_id = :user and c.comment is not null limit :limit)`,
      ),
    },
    {
      name: "action-reasons",
      title: "Reasons that staff gave for changes to subscriptions",
      effect: "anonymized",
      table: "subscription_actions",
      run: createBatchStatement(
        `update subscription_actions set reason = null where id in (
           select a.id from subscription_actions a join subscriptions s on s.id = a.subscription_id
            where s.user_id = :user and a.reason is not null limit :limit)`,
      ),
    },
  ],
  exported: {
    async cancelledSubscriptions({ em }, user) {
      const cancellations = await em.find(
        SubscriptionCancellation,
        { subscription: { user: user.id } },
        { orderBy: { cancelledAt: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return cancellations.map(({ cancelledAt, withdrawnAt, reason, comment }) => ({
        cancelledAt,
        withdrawnAt,
        reason: reason && labelCancellationReason(reason),
        comment,
      }));
    },
  },
  kept: [
    {
      title: "Subscriptions",
      table: "subscriptions",
      where: "user_id = $1",
      reason: "Plans, dates and amounts are part of our accounts. Card details are removed.",
    },
  ],
};
