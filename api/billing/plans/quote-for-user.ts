import { User } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { applyDuePrices } from "./price-versions.ts";
import { findPlanPrice, type PlanPrice } from "./plan.entity.ts";
import { addGst, type Discount, getGstBasisPoints, type Quote, calculateQuote } from "./price-quote.ts";
import { getRow } from "#api/platform/database/database.ts";

export interface CustomerQuote extends Quote {
  readonly planPriceId: string;
  /** Amount that would be charged without the discount. */
  readonly fullTotalCents: number;
}

/** Calculates the price of a plan for a customer's country, with an optional discount. */
export function calculateCustomerQuote(
  price: Pick<PlanPrice, "id" | "audCents">,
  country: string,
  discount: Discount | null = null,
): CustomerQuote {
  const gstBasisPoints = getGstBasisPoints(country);
  return {
    planPriceId: price.id,
    ...calculateQuote({ amountCents: price.audCents, gstBasisPoints, discount }),
    fullTotalCents: addGst(price.audCents, gstBasisPoints),
  };
}

/**
 * Returns the price of a plan on sale. A plan slug means its monthly price.
 * @throws AppError BAD_USER_INPUT on `planPriceId` if the plan is unknown or off sale.
 */
export async function findPriceOnSale(context: Context, slugOrPriceId: string): Promise<PlanPrice> {
  await applyDuePrices(context);
  const price = await findPlanPrice(context.em, slugOrPriceId);
  if (!price?.plan.sellable) throw badInput({ planPriceId: ["Sorry, that subscription level is not on sale."] });
  return price;
}

/**
 * Returns the English name of the caller's country, which determines GST.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND if the account doesn't exist.
 */
export async function getCallerCountry(context: Context): Promise<string> {
  const user = await getRow(context.em, User, getCallerId(context));
  return user.country;
}
