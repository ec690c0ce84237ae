import { type CataloguePlan, planOfProductId } from "#schema/plan-catalogue.ts";

/** What a plan costs in US cents without tax, and what paying by the year comes to beside twelve single months. */
export interface PlanPrices {
  readonly monthly: number;
  readonly yearly: number;
  readonly twelveMonths: number;
  readonly saved: number;
  /** Part of twelve months that a year costs, in per cent. */
  readonly yearlyShare: number;
}

/** The prices of a plan of the catalogue, which is where they stand. @throws {Error} for a slug that it does not have */
export function pricesOf(slug: string): PlanPrices {
  const plan: CataloguePlan | undefined = planOfProductId(slug);
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
