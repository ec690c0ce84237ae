import type { ApplyPromoCodeValues, ValidatePromoCodeValues } from "#schema/promo-code.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { AppError, unprocessable } from "#api/platform/errors.ts";
import { limitAttempts, limitServedRequests } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { listPlansOnSale, type PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import {
  getCallerCountry,
  type CustomerQuote,
  calculateCustomerQuote,
  findPriceOnSale,
} from "#api/billing/plans/quote-for-user.ts";
import { findUsablePromoCode, getDiscount, type PromoCode } from "./promo-code.entity.ts";

/**
 * Returns the price of a plan for the caller with a promo code. Doesn't reserve the code; subscribing does.
 * @throws AppError UNAUTHENTICATED; BAD_USER_INPUT on `planPriceId`, or on `promoCode` as
 *   {@link findUsablePromoCode} does; RATE_LIMITED after 10 tries an hour per user or 30 per IP address.
 */
export async function applyPromoCode(context: Context, values: ApplyPromoCodeValues): Promise<CustomerQuote> {
  return tryPromoCode(context, values.promoCode, await findPriceOnSale(context, values.planPriceId));
}

/**
 * Returns the price with a promo code for the REST call, which sends the displayed amount instead of a plan
 * (docs/domain.md#server-prices). Uses the plan price for the caller's country that equals the amount, with or without
 * GST, or else the closest one. The result is always based on the server's price.
 * @throws AppError as {@link applyPromoCode} does; UNPROCESSABLE if no plan is on sale.
 */
export async function validatePromoCode(context: Context, values: ValidatePromoCodeValues): Promise<CustomerQuote> {
  const country = await getCallerCountry(context);
  await applyDuePrices(context);
  const plans = await listPlansOnSale(context.em);
  const price = findPriceByAmount(
    plans.flatMap((plan) => plan.prices.getItems()),
    values.itemAmount,
    country,
  );
  if (!price) throw unprocessable("No plans are on sale at the moment.");
  return tryPromoCode(context, values.promoCode, price);
}

/**
 * Returns the plan price that matches an amount shown to a customer of a country; null if there are no prices (decision
 * 0018).
 */
function findPriceByAmount(prices: readonly PlanPrice[], shownCents: number, country: string): PlanPrice | null {
  const total = (price: PlanPrice): number => calculateCustomerQuote(price, country).totalCents;
  const distance = (price: PlanPrice): number => Math.abs(total(price) - shownCents);
  return (
    prices.find((price) => total(price) === shownCents) ??
    prices.find((price) => price.audCents === shownCents) ??
    // If two are equally close, take the more expensive one so that the total isn't understated.
    [...prices].sort((one, other) => distance(one) - distance(other) || other.audCents - one.audCents)[0] ??
    null
  );
}

/** Returns a price for the caller with a promo code. Good codes count as tries too. */
async function tryPromoCode(context: Context, code: string, price: PlanPrice): Promise<CustomerQuote> {
  const country = await getCallerCountry(context);
  const limits = getLimits(context, getCallerId(context));
  const find = () => findUsablePromoCode(context, context.em, code, price.id);
  return calculateCustomerQuote(price, country, getDiscount(await limitServedRequests(context, limits, find)));
}

/**
 * Finds the promo code of a checkout. Only a refused code counts as a try, because the customer has applied a good one before.
 * @throws AppError BAD_USER_INPUT and RATE_LIMITED as {@link applyPromoCode} does
 */
export function findCheckoutPromoCode(
  context: Context,
  userId: string,
  code: string,
  price: PlanPrice,
): Promise<PromoCode> {
  return limitAttempts(context, getLimits(context, userId), async (countTry) => {
    try {
      return await findUsablePromoCode(context, context.em, code, price.id);
    } catch (error) {
      if (error instanceof AppError) countTry();
      throw error;
    }
  });
}

/** Returns the limits on guessing codes. The second one stops guessing from many accounts. */
const getLimits = ({ origin }: Context, userId: string) =>
  [
    ["promoCode", userId],
    ["promoCodeByAddress", toRateLimitAddress(origin.ip)],
  ] as const;
