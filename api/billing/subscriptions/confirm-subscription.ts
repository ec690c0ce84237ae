import type { ConfirmationType } from "./subscription.types.ts";
import { addMonths } from "#api/platform/clock.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { conflict } from "#api/platform/errors.ts";
import { productLevels, trialLevels } from "#schema/product-level.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { findLabel } from "#schema/closed-list.ts";
import { User } from "#api/people/users/user.entity.ts";
import { describeDeferredCharge, formatAud, isBelowCardMinimum, MIN_CARD_CENTS } from "#schema/money.ts";
import type { Quote } from "#api/billing/plans/price-quote.ts";
import { formatPlanPrice } from "#api/billing/plans/plan.entity.ts";
import type { ChangeOffer } from "./change-subscription.ts";
import { calculateCheckoutOffer } from "./open-checkout.ts";
import { findReplacedLicences } from "./end-replaced-licences.ts";
import { findRunningSubscriptionOfUser } from "#api/billing/subscriptions/subscription.entity.ts";

/**
 * Returns the confirmation text and price for subscribing, without subscribing.
 * @throws AppError CONFLICT with a running subscription; BAD_USER_INPUT if the plan or promo code isn't available;
 * RATE_LIMITED after too many refused promo codes.
 */
export async function confirmSubscription(
  context: Context,
  values: { planPriceId: string; promoCode: string | null },
): Promise<ConfirmationType> {
  const user = await context.em.findOneOrFail(User, getCallerId(context));
  if (await findRunningSubscriptionOfUser(context, user.id)) throw conflict("You already have an active subscription.");
  const { quote, renewal, planPrice } = await calculateCheckoutOffer(context, user, values);
  const next = formatSellerDate(addMonths(context.clock.now(), planPrice.interval === "yearly" ? 12 : 1));
  const sentences = [
    `You are subscribing to ${formatPlanPrice(planPrice)}. ${describeCharge(quote)}, and ${renewal.totalCents === quote.totalCents ? "the same" : formatAmount(renewal)} every ${planPrice.interval === "yearly" ? "year" : "month"} from ${next} until you cancel.`,
    ...(await describeReplacedLicences(context, user.id, planPrice.plan.productLevel, "the subscription")),
    "Do you want to continue?",
  ];
  return { message: sentences.join(" "), totalCents: quote.totalCents };
}

/** Says in a sentence each which licences end when `what` starts. */
async function describeReplacedLicences(
  { em, clock }: Context,
  userId: string,
  productLevel: number,
  what: string,
): Promise<string[]> {
  const replaced = await findReplacedLicences(em, userId, productLevel);
  return replaced
    .filter((licence) => licence.expiresAt > clock.now())
    .map((licence) =>
      trialLevels.includes(licence.productLevel)
        ? `Your trial ends when ${what} starts.`
        : `Your ${findLabel(productLevels, licence.productLevel)} licence ends when ${what} starts, because the new licence replaces it. Email us to have the amount that you paid for it credited.`,
    );
}

/** Returns the confirmation text and price for a plan change. */
export async function buildChangeConfirmation(
  context: Context,
  { subscription, from, to, preview }: ChangeOffer,
): Promise<ConfirmationType> {
  const periodEnd = formatSellerDate(subscription.currentPeriodEndsAt);
  const kept = "Your licence code and your devices stay the same.";
  if (to.id === from.id)
    return {
      totalCents: 0,
      message: `Your subscription will stay at ${formatPlanPrice(from)}, and the planned change is cancelled. Nothing is charged now. ${kept} Do you want to continue?`,
    };
  const { productLevel } = to.plan;
  const replaced = await describeReplacedLicences(context, subscription.user.id, productLevel, "the new plan");
  const unchanged = [kept, ...replaced].join(" ");
  if (!preview)
    return {
      totalCents: 0,
      message: `Your subscription will change from ${formatPlanPrice(from)} to ${formatPlanPrice(to)} with your next payment on ${periodEnd}. Nothing is charged now, and nothing is refunded. ${unchanged} Do you want to continue?`,
    };
  const gst = preview.gstCents > 0 ? `, including ${formatAud(preview.gstCents)} GST` : "";
  // What an earlier invoice was too small to charge may make the amount large enough for a card.
  const charge =
    isBelowCardMinimum(preview.totalCents) && preview.dueCents < MIN_CARD_CENTS
      ? describeDeferredCharge(formatAud(preview.totalCents))
      : `Your card will be charged ${formatAud(preview.dueCents)} now${gst}`;
  const earlierCents = preview.dueCents - preview.totalCents;
  const earlier = earlierCents > 0 ? `, and ${formatAud(earlierCents)} of an earlier invoice` : "";
  return {
    totalCents: preview.dueCents,
    message: `Your subscription will change from ${formatPlanPrice(from)} to ${formatPlanPrice(to)} now. ${charge}. This is the difference for the time until ${formatSellerDate(preview.periodEnd)}${earlier}. ${unchanged} Do you want to continue?`,
  };
}

/** Says what is charged now. */
function describeCharge(quote: Quote): string {
  return isBelowCardMinimum(quote.totalCents)
    ? describeDeferredCharge(formatAmount(quote))
    : `Your card will be charged ${formatAmount(quote)} now`;
}

function formatAmount({ totalCents, gstCents }: { totalCents: number; gstCents: number }): string {
  return gstCents > 0 ? `${formatAud(totalCents)} (including ${formatAud(gstCents)} GST)` : formatAud(totalCents);
}
