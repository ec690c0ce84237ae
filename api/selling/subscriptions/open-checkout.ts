import { LockMode } from "@mikro-orm/core";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import { quoteFor } from "#api/selling/plans/quote-for-user.ts";
import { discountOf } from "#api/selling/promo-codes/find-promo-code.ts";
import { holdPromoCode } from "#api/selling/promo-codes/redeem-promo-code.ts";
import { offerFor } from "./checkout-offer.ts";
import { Checkout } from "./checkout.entity.ts";
import { runningStatuses } from "./subscription-states.ts";
import { Subscription } from "./subscription.entity.ts";

/** Someone who sent the same again within this time means the same subscription, not a second one. */
const SAME_INTENT_MS = 10 * MINUTE;

/** After this long an attempt is no longer on its way: its tries have timed out. */
const SETTLED_MS = MINUTE;

/** What a customer wants to buy. */
export interface CheckoutValues {
  /** A price id, or a plan's slug. */
  readonly planPriceId: string;
  readonly promoCode: string | null;
  /** The client's own name for the intent, the same for each repetition; null when it gives none. */
  readonly requestKey: string | null;
  readonly paymentMethodId: string | null;
  /** What the customer was shown, cents with GST; null when nothing was. */
  readonly expectedTotalCents: number | null;
}

/** An intent to go on with, or one of another kind that must be withdrawn first. */
export type OpenedCheckout = { readonly kind: "go-on" | "withdraw-first"; readonly checkout: Checkout };

/**
 * Opens a customer's one intent to subscribe, or finds the one that the same request opened before: a double click, a
 * second tab, a repetition after a lost answer. The customer's row lock lets one request at a time look.
 * @throws AppError CONFLICT with a running subscription or when the price is another than shown; BAD_USER_INPUT for a
 * plan or promo code that cannot be had; RATE_LIMITED after 5 intents an hour from one address.
 */
export async function openCheckout(context: Context, userId: string, values: CheckoutValues): Promise<OpenedCheckout> {
  return inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const now = context.clock.now();
    // Priced later: a repetition of what went through already must not stumble over its own used promo code.
    const planPrice = await findPlanPrice(em, values.planPriceId);
    const latest = await em.findOne(Checkout, { user: userId }, { orderBy: { createdAt: "desc", id: "desc" } });
    const isSame =
      latest !== null &&
      latest.planPrice === planPrice?.id &&
      sameCode(latest.promoCode, values.promoCode) &&
      (values.requestKey === null || latest.requestKey === null || latest.requestKey === values.requestKey);

    const running = await em.count(Subscription, { user: userId, status: { $in: [...runningStatuses] } });
    if (running > 0) {
      const isRepeated = latest?.state === "paid" && isSame && (latest.endedAt ?? now) > after(now, -SAME_INTENT_MS);
      if (isRepeated) return { kind: "go-on", checkout: latest };
      throw new AppError("CONFLICT", { message: "You already have an active subscription." });
    }
    if (latest?.state === "open" || latest?.state === "needs_authentication") {
      const isFresh = latest.createdAt > after(now, -SETTLED_MS);
      const isUnderway = latest.state === "open" && isFresh;
      const hasSameCard = values.paymentMethodId === null || values.paymentMethodId === latest.paymentMethodId;
      // What waits for the bank goes on waiting when the same is sent again; another card takes its place.
      const isSameTry = hasSameCard && (latest.state === "open" || isFresh || latest.requestKey === values.requestKey);
      if (isSame && (isUnderway || isSameTry)) return { kind: "go-on", checkout: latest };
      if (isUnderway)
        throw new AppError("CONFLICT", { message: "Your subscription is being set up already. Please wait a moment." });
      return { kind: "withdraw-first", checkout: latest };
    }
    // The same request once more, whose answer was that the card was declined.
    if (latest?.state === "declined" && isSame && values.requestKey && latest.requestKey === values.requestKey)
      return { kind: "go-on", checkout: latest };

    const offer = await offerFor({ ...context, em }, user, values);
    if (values.expectedTotalCents !== null && values.expectedTotalCents !== offer.quote.totalCents)
      throw priceChanged();
    // Only what may be charged counts: a repetition of the same intent is free.
    await context.rateLimits.take("subscribe", limitedAddress(context.origin.ip));
    const isKeyTaken =
      values.requestKey && (await em.count(Checkout, { user: userId, requestKey: values.requestKey })) > 0;
    const checkout = em.create(Checkout, {
      user,
      requestKey: isKeyTaken ? null : values.requestKey,
      planPrice: offer.planPrice.id,
      promoCode: values.promoCode,
      paymentMethodId: values.paymentMethodId,
      gstBasisPoints: offer.gstBasisPoints,
      discountCents: offer.quote.discountCents,
      totalCents: offer.quote.totalCents,
      createdAt: now,
    });
    await em.flush();
    if (values.promoCode) {
      const held = await holdPromoCode(context, em, { code: values.promoCode, userId, checkoutId: checkout.id });
      // An admin changed it since the offer was made, before the code's row was ours.
      const { discountCents } = quoteFor(offer.planPrice, user.country, discountOf(held));
      if (discountCents !== checkout.discountCents) throw priceChanged();
    }
    return { kind: "go-on", checkout };
  });
}

function priceChanged(): AppError {
  return new AppError("CONFLICT", {
    message: "The price has changed since it was shown to you. Please look at it again before you subscribe.",
  });
}

function sameCode(a: string | null, b: string | null): boolean {
  return (a ?? "").trim().toUpperCase() === (b ?? "").trim().toUpperCase();
}
