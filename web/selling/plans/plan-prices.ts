import { type CataloguePlan, findPlanByProductId } from "#schema/plan-catalogue.ts";

/** Prices of a plan in US cents without tax, and the saving of a yearly payment over twelve monthly ones. */
export interface PlanPrices {
  readonly monthly: number;
  readonly yearly: number;
  readonly twelveMonths: number;
  readonly saved: number;
  /** Yearly price as a percentage of twelve monthly payments. */
  readonly yearlyShare: number;
}

/** Returns the prices of a plan in the catalogue. @throws {Error} if the slug is unknown */
export function getPlanPrices(slug: string): PlanPrices {
  const plan: CataloguePlan | undefined = findPlanByProductId(slug);
  if (!plan) throw new Error(`schema/plan-catalogue.ts has no plan ${slug}.`);
  const { monthly, yearly } = plan.prices;
  const twelveMonths = 12 * monthly.usdCents;
  return {
    monthly: monthly.usdCents,
    yearly: yearly.usdCents,
    twelveMonths,
    saved: twelveMonths - yearly.usdCents,
    yearlyShare: (100 * yearly.usdCents) / twelveMonths,
  };
}
