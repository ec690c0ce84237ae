import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { planChanged } from "#api/messaging/emails/templates/plan-changed.tsx";
import { findPlanPrices, formatPlanPrice } from "#api/billing/plans/find-plan-price.ts";
import { findNextChargeCents } from "./next-charge.ts";
import { findSubscriptionChanges, type SubscriptionSnapshot } from "./record-subscription-change.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Emails the customer about a change of plan since the last sync (`before`): one that happened now, or one that is planned
 * for the next payment. A planned change that takes effect has its own email, about the renewal.
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
  if (!isPlanned && !isChanged) return;
  const [from, to] = isPlanned ? [planPrice, nextPlanPrice ?? planPrice] : [before.planPrice, planPrice];
  const prices = await findPlanPrices(em, [from, to]);
  const format = (id: string) => {
    const price = prices.get(id);
    return price ? formatPlanPrice(price) : id;
  };
  await sendEmail(context, em, {
    template: planChanged,
    to: user.email,
    data: {
      firstName: user.firstName,
      fromPlan: format(from),
      toPlan: format(to),
      startsAt: isPlanned ? currentPeriodEndsAt : null,
      nextPayment: { amountCents: await findNextChargeCents(em, subscription), at: currentPeriodEndsAt },
    },
  });
}
