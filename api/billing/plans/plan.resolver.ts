import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { loadCollection } from "#api/platform/graphql/loaders.ts";
import { listPlansOnSale, Plan, PlanPrice, sortPrices } from "./plan.entity.ts";
import { applyDuePrices } from "./price-versions.ts";
import { calculateCustomerQuote, findPriceOnSale, getCallerCountry } from "./quote-for-user.ts";

export const PriceQuote = createType(
  "PriceQuote",
  "regular",
  "A price quote in AUD cents: amount − discount + GST = total.",
  {
    planPriceId: field.id("Id of the plan price."),
    amountCents: field.integer("Without GST."),
    discountCents: field.integer("Discount of the promo code; 0 without one."),
    taxableCents: field.integer("Amount after the discount, on which GST is calculated."),
    gstCents: field.integer("GST: 10 % for customers in Australia, 0 elsewhere."),
    totalCents: field.integer("Amount charged to the card."),
    fullTotalCents: field.integer("Amount that would be charged without the promo code."),
  },
);
export type PriceQuote = InstanceType<typeof PriceQuote>;

@Resolver(() => Plan)
export class PlanResolver {
  @Allow("everyone", { scope: "open" })
  @Query(() => [Plan], { description: "The plans on sale, the flagship first." })
  async plans(@Ctx() context: Context): Promise<Plan[]> {
    await applyDuePrices(context);
    return listPlansOnSale(context.em);
  }

  @Allow("everyone", { scope: "open" })
  @FieldResolver(() => [PlanPrice], { description: "Prices of the plan, monthly first." })
  async prices(@Root() plan: Plan): Promise<PlanPrice[]> {
    await loadCollection(plan.prices);
    return sortPrices(plan);
  }

  @Allow("regular", { scope: "billing:read" })
  @Query(() => PriceQuote, { description: "The price of a plan for the caller, including GST." })
  async priceQuote(
    @Arg("planPriceId", () => ID, { description: "The plan price." }) planPriceId: string,
    @Ctx() context: Context,
  ): Promise<PriceQuote> {
    const price = await findPriceOnSale(context, planPriceId);
    return calculateCustomerQuote(price, await getCallerCountry(context));
  }
}
