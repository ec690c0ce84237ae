import { findNextPaymentCents } from "./next-charge.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { formatAud } from "#schema/money.ts";
import { formatSellerDate } from "#schema/dates.ts";
import {
  findPlanPrices,
  formatPlanPrice,
  formatPlanPriceId,
  listPlansOnSale,
  sortPrices,
} from "#api/billing/plans/plan.entity.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { calculateCustomerQuote } from "#api/billing/plans/quote-for-user.ts";
import { findFailedAttempt } from "./payment-attempt.entity.ts";
import { getPeriodEnd } from "./payment-rules.ts";
import { findRunningSubscriptionOfUser, type Subscription } from "./subscription.entity.ts";
import type { SubscriptionStatusType } from "./subscription.types.ts";

/** Returns the state of the caller's subscription, with a message that says what to do, and the plans on sale. */
export async function getSubscriptionStatus(context: Context): Promise<SubscriptionStatusType> {
  const user = await context.em.findOneOrFail(User, getCallerId(context));
  await applyDuePrices(context);
  const onSale = (await listPlansOnSale(context.em)).flatMap(sortPrices);
  const subscription = await findRunningSubscriptionOfUser(context, user.id);
  const products = onSale.map((planPrice) => {
    const { id } = planPrice;
    // A subscriber keeps the price at which the subscription started.
    const audCents = (id === subscription?.planPrice ? subscription.amountCents : null) ?? planPrice.audCents;
    const quote = calculateCustomerQuote({ id, audCents }, user.country);
    return { id, name: formatPlanPrice(planPrice), planPrice, ...quote };
  });
  const overdue = subscription && (await findFailedAttempt(context.em, subscription));
  // The overdue amount as it was billed, because the terms may have changed since.
  const nextChargeCents =
    overdue?.amountCents ?? (subscription && (await findNextPaymentCents(context.em, user.id, subscription)));
  const message = subscription
    ? await buildMessage(context, subscription, nextChargeCents)
    : "You don't have an active subscription.";
  return { hasActiveSubscription: subscription !== null, message, nextChargeCents, subscription, products };
}

async function buildMessage(
  context: Context,
  subscription: Subscription,
  nextChargeCents: number | null,
): Promise<string> {
  const name = await getPlanPriceName(context, subscription.planPrice);
  const periodEnd = formatSellerDate(subscription.currentPeriodEndsAt);
  const runsUntil = subscription.licence.expiresAt;
  if (subscription.pausedUntil) {
    const until = formatSellerDate(subscription.pausedUntil);
    const isEnding = subscription.isCancelledAtPeriodEnd;
    return `Your ${name} subscription is paused until ${until}. Your licence can't be used until then, and nothing is charged. ${isEnding ? `The subscription is cancelled and ends on ${periodEnd}.` : `The next payment is due on ${periodEnd}${periodEnd === until ? "" : ", because the time you paid for continues after the pause"}.`} You can resume earlier.`;
  }
  const withGst = subscription.gstBasisPoints > 0 ? " including GST" : "";
  if (subscription.status === "past_due") {
    const licence = describeOverdueLicence(subscription, runsUntil, context.clock.now());
    return `We could not take the payment for your ${name} subscription that was due on ${formatSellerDate(getPeriodEnd(subscription))}. ${licence} Please update your payment details. We will then charge the payment immediately.`;
  }
  if (subscription.disputedAt)
    return `A payment for your ${name} subscription is disputed with your bank, so your licence is suspended. Please contact us.`;
  if (subscription.isCancelledAtPeriodEnd) {
    // Staff may have set another date than the end of the subscription.
    const licenceEnd = formatSellerDate(runsUntil);
    return `Your ${name} subscription is cancelled and ends on ${periodEnd}. You can resume it until that day. Your licence runs until ${licenceEnd === periodEnd ? "then" : licenceEnd}.`;
  }
  const charge = nextChargeCents === null ? "" : ` of ${formatAud(nextChargeCents)}${withGst}`;
  if (subscription.nextPlanPrice)
    return `Your ${name} subscription is active. It changes to ${await getPlanPriceName(context, subscription.nextPlanPrice)} on ${periodEnd}, with the next payment${charge}.`;
  return `Your ${name} subscription is active. The next payment${charge} is due on ${periodEnd}.`;
}

function describeOverdueLicence({ disputedAt }: Subscription, runsUntil: Date, now: Date): string {
  if (disputedAt) return "Your licence is suspended, because a payment is disputed with your bank.";
  if (runsUntil <= now) return "Your licence has expired.";
  return `Your licence keeps running until ${formatSellerDate(runsUntil)}.`;
}

async function getPlanPriceName({ em }: Pick<Context, "em">, planPriceId: string): Promise<string> {
  return formatPlanPriceId(await findPlanPrices(em, [planPriceId]), planPriceId);
}
