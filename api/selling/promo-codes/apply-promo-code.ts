import type { ApplyPromoCodeValues, ValidatePromoCodeValues } from "#schema/rules/promo-code.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { limitServed } from "#api/platform/limit-tries.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { listPlansOnSale } from "#api/selling/plans/find-plan-price.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { countryOfCaller, type CustomerQuote, quoteFor, quoteForCaller } from "#api/selling/plans/quote-for-user.ts";
import { discountOf, findUsablePromoCode, unusablePromoCode } from "./find-promo-code.ts";
import type { PromoCode } from "./promo-code.entity.ts";

/**
 * What a plan price costs the caller with a promo code. Takes nothing: the code is held when the caller subscribes.
 * @throws AppError UNAUTHENTICATED; BAD_USER_INPUT on `planPriceId` or, alike for unknown, expired and used codes, on
 *   `promoCode`; RATE_LIMITED after 10 tries an hour a person, 30 an address.
 */
export async function applyPromoCode(context: Context, values: ApplyPromoCodeValues): Promise<CustomerQuote> {
  const promoCode = await tryPromoCode(context, values.promoCode);
  return quoteForCaller(context, values.planPriceId, discountOf(promoCode));
}

/**
 * The same for the REST call, which names no plan but only the amount it shows (docs/domain.md#server-prices): the
 * caller's price that equals the amount, GST included or not, else the one nearest to it. The server's price is what is
 * reckoned with.
 * @throws AppError as {@link applyPromoCode}; UNPROCESSABLE when nothing is on sale.
 */
export async function validatePromoCode(context: Context, values: ValidatePromoCodeValues): Promise<CustomerQuote> {
  const promoCode = await tryPromoCode(context, values.promoCode);
  const country = await countryOfCaller(context);
  const plans = await listPlansOnSale(context.em);
  const price = priceMeant(
    plans.flatMap((plan) => plan.prices.getItems()),
    values.itemAmount,
    country,
  );
  if (!price) throw new AppError("UNPROCESSABLE", { message: "Nothing is on sale at the moment." });
  return quoteFor(price, country, discountOf(promoCode));
}

/** The price that a customer of a country means by an amount they were shown; null without prices (decision 0018). */
export function priceMeant(prices: readonly PlanPrice[], shownCents: number, country: string): PlanPrice | null {
  const total = (price: PlanPrice): number => quoteFor(price, country).totalCents;
  const distance = (price: PlanPrice): number => Math.abs(total(price) - shownCents);
  return (
    prices.find((price) => total(price) === shownCents) ??
    prices.find((price) => price.audCents === shownCents) ??
    // Between two equally near ones the dearer, so that nobody is promised too little.
    [...prices].sort((one, other) => distance(one) - distance(other) || other.audCents - one.audCents)[0] ??
    null
  );
}

async function tryPromoCode(context: Context, code: string): Promise<PromoCode> {
  const { actor, em, origin } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  // The second stops one person with many accounts from guessing.
  const limits = [
    ["promoCode", actor.userId],
    ["promoCodeByAddress", limitedAddress(origin.ip)],
  ] as const;
  return limitServed(context, limits, async () => {
    const promoCode = await findUsablePromoCode(context, em, code);
    if (!promoCode) throw unusablePromoCode();
    return promoCode;
  });
}
