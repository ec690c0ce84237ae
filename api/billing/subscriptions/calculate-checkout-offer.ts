import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { findPlanPrice } from "#api/billing/plans/find-plan-price.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import type { PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { getGstBasisPoints, type Quote } from "#api/billing/plans/price-quote.ts";
import { calculateCustomerQuote } from "#api/billing/plans/quote-for-user.ts";
import { findUsablePromoCode, getDiscount } from "#api/billing/promo-codes/find-promo-code.ts";

/** The terms of a new subscription for a customer. */
export interface CheckoutOffer {
  readonly planPrice: PlanPrice;
  readonly gstBasisPoints: number;
  /** The price of the first invoice, including the promo code and GST. */
  readonly quote: Quote;
  /** The price of each later invoice. */
  readonly renewal: Quote;
}

/**
 * Calculates the price of a plan for a customer, ignoring any amounts sent by the client (docs/domain.md#server-prices).
 * @throws AppError BAD_USER_INPUT if the plan isn't on sale or the promo code can't be used.
 */
export async function calculateCheckoutOffer(
  context: Context,
  user: User,
  values: { planPriceId: string; promoCode: string | null },
): Promise<CheckoutOffer> {
  await applyDuePrices(context);
  const planPrice = await findPlanPrice(context.em, values.planPriceId);
  if (!planPrice?.plan.sellable)
    throw badInput({ productId: ["Sorry, this subscription level is not available any more. Please choose another."] });
  const promoCode = values.promoCode
    ? await findUsablePromoCode(context, context.em, values.promoCode, planPrice.id)
    : null;
  const discount = promoCode ? getDiscount(promoCode) : null;
  return {
    planPrice,
    gstBasisPoints: getGstBasisPoints(user.country),
    quote: calculateCustomerQuote(planPrice, user.country, discount),
    renewal: calculateCustomerQuote(planPrice, user.country),
  };
}
