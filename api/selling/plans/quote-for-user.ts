import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { findPlanPrice } from "./find-plan-price.ts";
import type { PlanPrice } from "./plan-price.entity.ts";
import { type Discount, gstBasisPointsFor, type Quote, quote } from "./price-quote.ts";

/** A quote for one customer. */
export interface CustomerQuote extends Quote {
  readonly planPriceId: string;
  /** What would be charged without the discount. */
  readonly fullTotalCents: number;
}

/** What a plan price costs a customer of a country, with a discount or without. */
export function quoteFor(
  price: Pick<PlanPrice, "id" | "audCents">,
  country: string,
  discount: Discount | null = null,
): CustomerQuote {
  const gstBasisPoints = gstBasisPointsFor(country);
  const asked = { amountCents: price.audCents, gstBasisPoints };
  return {
    planPriceId: price.id,
    ...quote({ ...asked, discount }),
    fullTotalCents: quote({ ...asked, discount: null }).totalCents,
  };
}

/**
 * Returns what a plan price, or a plan's monthly price by its slug, costs the caller, GST included.
 * @throws AppError UNAUTHENTICATED; BAD_USER_INPUT on `planPriceId` for a plan that is unknown or off sale.
 */
export async function quoteForCaller(
  context: Context,
  slugOrPriceId: string,
  discount: Discount | null = null,
): Promise<CustomerQuote> {
  const price = await findPlanPrice(context.em, slugOrPriceId);
  if (!price?.plan.sellable) throw badInput({ planPriceId: ["Sorry, that subscription level is not on sale."] });
  return quoteFor(price, await countryOfCaller(context), discount);
}

/**
 * English name of the caller's country, which decides on GST.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND when the account is gone.
 */
export async function countryOfCaller(context: Context): Promise<string> {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  const user = await context.em.findOne(User, context.actor.userId);
  if (!user) throw notFound();
  return user.country;
}
