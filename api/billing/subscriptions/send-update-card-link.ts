import { LockMode } from "@mikro-orm/core";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { updateCard } from "#api/messaging/emails/templates/update-card.tsx";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { isUuid } from "#api/platform/validate.ts";
import { findPlanName } from "#api/billing/plans/find-plan-price.ts";
import { findRunningSubscriptionOfUser } from "#api/billing/subscriptions/active-subscription.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";

/**
 * Emails a customer a link to the page where they can replace their card, with the overdue amount if a payment failed.
 * @throws AppError NOT_FOUND; CONFLICT for an archived user and without a subscription; RATE_LIMITED after 3 such emails
 * an hour.
 */
export async function sendUpdateCardLink(context: Context, userId: string): Promise<User> {
  if (!isUuid(userId)) throw notFound();
  return inTransaction(context, async (em) => {
    const user = await em.findOne(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw notFound();
    if (user.archivedAt) throw new AppError("CONFLICT", { message: "This user is archived. Restore the user first." });
    const subscription = await findRunningSubscriptionOfUser({ em }, user.id);
    if (!subscription?.providerSubscriptionId)
      throw new AppError("CONFLICT", { message: "This user has no subscription with a card." });
    await context.rateLimits.take("updateCardEmail", user.id);
    const latest = await em.findOne(
      PaymentAttempt,
      { subscription: subscription.id },
      { orderBy: { at: "desc", id: "desc" } },
    );
    const isOverdue = subscription.status === "past_due" && latest !== null;
    await sendEmail(context, em, {
      template: updateCard,
      to: user.email,
      data: {
        firstName: user.firstName,
        plan: await findPlanName(em, subscription.planPrice),
        cardLast4: subscription.cardLast4,
        overdue: isOverdue ? { amountCents: latest.amountCents, reason: latest.reason } : null,
      },
    });
    await recordChange(context, em, {
      action: "send-update-card-link",
      ...aboutUser(user),
      after: { sentTo: user.email },
    });
    return user;
  });
}
