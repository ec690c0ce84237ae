import { NOT_ON_SALE, PRICE_CHANGED } from "#schema/plan-catalogue.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, conflict } from "#api/platform/errors.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { calculateCustomerQuote } from "#api/billing/plans/quote-for-user.ts";
import { findCheckoutPromoCode } from "#api/billing/promo-codes/apply-promo-code.ts";
import { getDiscount, normalizePromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { reservePromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { Checkout } from "./checkout.entity.ts";
import { isRunning, Subscription } from "./subscription.entity.ts";
import { findPlanPrice, type PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { getGstBasisPoints, type Quote } from "#api/billing/plans/price-quote.ts";

/** Time within which an identical request counts as a repeat rather than a new subscription, in milliseconds. */
const REPEAT_WINDOW_MS = 10 * MINUTE;

/** Time after which an attempt can no longer be in progress, because its calls have timed out, in milliseconds. */
const SETTLED_MS = MINUTE;

/** A customer's request to subscribe. */
export interface CheckoutValues {
  /** A price id, or a plan's slug. */
  readonly planPriceId: string;
  readonly promoCode: string | null;
  /** The client's idempotency key, the same for every retry; null if it sent none. */
  readonly requestKey: string | null;
  readonly paymentMethodId: string | null;
  /** Total shown to the customer, in cents including GST; null if no price was shown. */
  readonly expectedTotalCents: number | null;
}

/** The checkout to continue with, or a different one that must be withdrawn first. */
type OpenedCheckout = { readonly kind: "go-on" | "withdraw-first"; readonly checkout: Checkout };

/**
 * Opens a checkout for the customer, or returns the existing one for a repeated request, such as a double click, a
 * second tab or a retry after a lost response. Locks the customer's row, so requests are handled one at a time.
 * @throws AppError CONFLICT with a running subscription, or if the price differs from the one shown; BAD_USER_INPUT if
 * the plan or promo code isn't available; RATE_LIMITED after 5 checkouts an hour from one IP address, or too many refused
 * promo codes; UNAUTHENTICATED if the account was closed in the meantime.
 */
export async function openCheckout(context: Context, userId: string, values: CheckoutValues): Promise<OpenedCheckout> {
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId);
    // The account was closed since the request was authenticated.
    if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
    const now = context.clock.now();
    // Calculate the price later, so that repeating a paid checkout doesn't fail when its promo code has been used.
    await applyDuePrices({ ...context, em });
    const planPrice = await findPlanPrice(em, values.planPriceId);
    const latest = await em.findOne(Checkout, { user: userId }, { orderBy: { createdAt: "desc", id: "desc" } });
    const isSame =
      latest !== null &&
      latest.planPrice === planPrice?.id &&
      normalizePromoCode(latest.promoCode ?? "") === normalizePromoCode(values.promoCode ?? "") &&
      (values.requestKey === null || latest.requestKey === null || latest.requestKey === values.requestKey);

    const running = await em.count(Subscription, { user: userId, ...isRunning });
    if (running > 0) {
      const isRepeated =
        latest?.state === "paid" && isSame && (latest.endedAt ?? now) > addMilliseconds(now, -REPEAT_WINDOW_MS);
      if (isRepeated) return { kind: "go-on", checkout: latest };
      throw conflict("You already have an active subscription.");
    }
    if (latest?.state === "open" || latest?.state === "needs_authentication") {
      const isFresh = latest.createdAt > addMilliseconds(now, -SETTLED_MS);
      const isUnderway = latest.state === "open" && isFresh;
      const hasSameCard = values.paymentMethodId === null || values.paymentMethodId === latest.paymentMethodId;
      // A repeated request continues to wait for the bank. A request with a different card replaces the checkout.
      const isSameTry = hasSameCard && (latest.state === "open" || isFresh || latest.requestKey === values.requestKey);
      if (isSame && (isUnderway || isSameTry)) return { kind: "go-on", checkout: latest };
      if (isUnderway) throw conflict("Your subscription is already being set up. Please wait a moment.");
      return { kind: "withdraw-first", checkout: latest };
    }
    // This is a retry of a request whose card was declined.
    if (latest?.state === "declined" && isSame && values.requestKey && latest.requestKey === values.requestKey)
      return { kind: "go-on", checkout: latest };

    const offer = await calculateCheckoutOffer({ ...context, em }, user, values);
    if (values.expectedTotalCents !== null && values.expectedTotalCents !== offer.quote.totalCents)
      throw conflict(PRICE_CHANGED);
    // Only count attempts that may charge the card. Repeats aren't limited.
    await context.rateLimits.take("subscribe", toRateLimitAddress(context.origin.ip));
    const isKeyTaken =
      values.requestKey && (await em.count(Checkout, { user: userId, requestKey: values.requestKey })) > 0;
    const checkout = em.create(Checkout, {
      user,
      requestKey: isKeyTaken ? null : values.requestKey,
      planPrice: offer.planPrice.id,
      promoCode: values.promoCode,
      paymentMethodId: values.paymentMethodId,
      gstBasisPoints: offer.gstBasisPoints,
      audCents: offer.planPrice.audCents,
      discountCents: offer.quote.discountCents,
      totalCents: offer.quote.totalCents,
      createdAt: now,
    });
    await em.flush();
    if (values.promoCode) {
      const held = await reservePromoCode(context, em, {
        code: values.promoCode,
        planPriceId: offer.planPrice.id,
        userId,
        checkoutId: checkout.id,
      });
      // An admin may have changed the code after the offer was calculated and before its row was locked.
      const { discountCents } = calculateCustomerQuote(offer.planPrice, user.country, getDiscount(held));
      if (discountCents !== checkout.discountCents) throw conflict(PRICE_CHANGED);
    }
    return { kind: "go-on", checkout };
  });
}

/** The terms of a new subscription for a customer. */
interface CheckoutOffer {
  readonly planPrice: PlanPrice;
  readonly gstBasisPoints: number;
  /** The price of the first invoice, including the promo code and GST. */
  readonly quote: Quote;
  /** The price of each later invoice. */
  readonly renewal: Quote;
}

/**
 * Calculates the price of a plan for a customer, ignoring any amounts sent by the client (docs/domain.md#server-prices).
 * @throws AppError BAD_USER_INPUT if the plan isn't on sale or the promo code can't be used; RATE_LIMITED after too many
 * refused codes.
 */
export async function calculateCheckoutOffer(
  context: Context,
  user: User,
  values: { planPriceId: string; promoCode: string | null },
): Promise<CheckoutOffer> {
  await applyDuePrices(context);
  const planPrice = await findPlanPrice(context.em, values.planPriceId);
  if (!planPrice?.plan.sellable) throw badInput({ planPriceId: [NOT_ON_SALE] });
  const promoCode = values.promoCode
    ? await findCheckoutPromoCode(context, user.id, values.promoCode, planPrice)
    : null;
  const discount = promoCode ? getDiscount(promoCode) : null;
  return {
    planPrice,
    gstBasisPoints: getGstBasisPoints(user.country),
    quote: calculateCustomerQuote(planPrice, user.country, discount),
    renewal: calculateCustomerQuote(planPrice, user.country),
  };
}
