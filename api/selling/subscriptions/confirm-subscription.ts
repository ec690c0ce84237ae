import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { labelOf, productLevels, trialLevels } from "#schema/catalogue.ts";
import { User } from "#api/people/users/user.entity.ts";
import { formatSellerDate } from "#api/messaging/mails/templates/mail-template.ts";
import { aud } from "#schema/money.ts";
import { planPriceName } from "#api/selling/plans/find-plan-price.ts";
import type { ChangeOffer } from "./change-subscription.ts";
import { type CheckoutOffer, offerFor } from "./checkout-offer.ts";
import { findReplacedLicences } from "./end-replaced-licences.ts";
import { runningSubscriptionOf } from "./active-subscription.ts";

/** What a customer is asked to agree to before paying. */
export interface Confirmation {
  /** The exact sentence for the dialog (docs/domain.md#subscribe). */
  readonly message: string;
  /** What the card is charged now, cents with GST. */
  readonly totalCents: number;
}

/**
 * Says what subscribing would charge and do, without doing it.
 * @throws AppError CONFLICT with a running subscription; BAD_USER_INPUT for a plan or promo code that cannot be had.
 */
export async function confirmSubscription(
  context: Context,
  values: { planPriceId: string; promoCode: string | null },
): Promise<Confirmation & CheckoutOffer> {
  const user = await context.em.findOneOrFail(User, context.actor?.userId ?? "");
  if (await runningSubscriptionOf(context, user.id))
    throw new AppError("CONFLICT", { message: "You already have an active subscription." });
  const offer = await offerFor(context, user, values);
  const now = context.clock.now();
  const replaced = await findReplacedLicences(context.em, user.id, offer.planPrice.plan.productLevel);
  const running = replaced.filter((licence) => licence.expiresAt > now);
  const { quote, renewal, planPrice } = offer;
  const next = formatSellerDate(periodAfter(now, planPrice.interval));
  const sentences = [
    `You are subscribing to ${planPriceName(planPrice)}. Your card will be charged ${amount(quote)} now, and ${renewal.totalCents === quote.totalCents ? "the same" : amount(renewal)} every ${planPrice.interval === "yearly" ? "year" : "month"} from ${next} until you cancel.`,
    ...running.map(({ productLevel }) =>
      trialLevels.includes(productLevel)
        ? "Your trial ends when the subscription starts."
        : `Your ${labelOf(productLevels, productLevel)} licence ends when the subscription starts, as the new one takes its place.`,
    ),
    "Do you want to continue?",
  ];
  return { ...offer, message: sentences.join(" "), totalCents: quote.totalCents };
}

/** The sentence for the dialog of a change of plan. */
export function confirmationOfChange({ subscription, from, to, preview }: ChangeOffer): Confirmation {
  const periodEnd = formatSellerDate(subscription.currentPeriodEndsAt);
  const keeps = "Your licence code and your devices stay the same.";
  if (!preview)
    return {
      totalCents: 0,
      message: `Your subscription changes from ${planPriceName(from)} to ${planPriceName(to)} with your next payment on ${periodEnd}. Nothing is charged now, and nothing is refunded. ${keeps} Do you want to continue?`,
    };
  const gst = preview.gstCents > 0 ? `, including ${aud(preview.gstCents)} GST` : "";
  return {
    totalCents: preview.dueCents,
    message: `Your subscription changes from ${planPriceName(from)} to ${planPriceName(to)} now. Your card will be charged ${aud(preview.dueCents)} now${gst}: the difference for the time until ${formatSellerDate(preview.periodEnd)}. ${keeps} Do you want to continue?`,
  };
}

function amount({ totalCents, gstCents }: { totalCents: number; gstCents: number }): string {
  return gstCents > 0 ? `${aud(totalCents)} (including ${aud(gstCents)} GST)` : aud(totalCents);
}

/**
 * End of a period that begins at `start`: the same day and time a month or a year later, or the last day of a shorter
 * month, as the payment provider reckons it. UTC.
 */
function periodAfter(start: Date, interval: "monthly" | "yearly"): Date {
  const end = new Date(start);
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (interval === "yearly" ? 12 : 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end;
}
