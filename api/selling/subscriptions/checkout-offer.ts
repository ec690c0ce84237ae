import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { gstBasisPointsFor, type Quote } from "#api/selling/plans/price-quote.ts";
import { quoteFor } from "#api/selling/plans/quote-for-user.ts";
import { discountOf, findUsablePromoCode, unusablePromoCode } from "#api/selling/promo-codes/find-promo-code.ts";

/** What a customer would be charged first for a plan price. */
export interface CheckoutOffer {
  readonly planPrice: PlanPrice;
  readonly gstBasisPoints: number;
  /** The first invoice, promo code and GST included. */
  readonly quote: Quote;
  /** Every later invoice. */
  readonly renewal: Quote;
}

/**
 * Prices a plan for a customer; nobody else's figures count (docs/domain.md#server-prices).
 * @throws AppError BAD_USER_INPUT for a plan that is not on sale or a promo code that cannot be used.
 */
export async function offerFor(
  context: Context,
  user: User,
  values: { planPriceId: string; promoCode: string | null },
): Promise<CheckoutOffer> {
  const planPrice = await findPlanPrice(context.em, values.planPriceId);
  if (!planPrice?.plan.sellable)
    throw badInput({ productId: ["Sorry, this subscription level is not available any more. Please choose another."] });
  const promoCode = values.promoCode ? await findUsablePromoCode(context, context.em, values.promoCode) : null;
  if (values.promoCode && !promoCode) throw unusablePromoCode();
  const discount = promoCode ? discountOf(promoCode) : null;
  return {
    planPrice,
    gstBasisPoints: gstBasisPointsFor(user.country),
    quote: quoteFor(planPrice, user.country, discount),
    renewal: quoteFor(planPrice, user.country),
  };
}
