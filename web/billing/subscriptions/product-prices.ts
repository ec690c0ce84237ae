import { formatAud, formatUsd } from "#schema/money.ts";
import { findPlanByProductId } from "#schema/plan-catalogue.ts";
import type { Product } from "./products.ts";
import type { BillingInterval } from "#web/generated/graphql.ts";

/** A plan with its prices on sale. */
export interface PlanProducts {
  readonly slug: string;
  readonly name: string;
  readonly isRetiring: boolean;
  readonly products: readonly Product[];
}

/** Groups plan prices by plan, in their order. */
export function groupByPlan(products: readonly Product[]): PlanProducts[] {
  const plans = new Map<string, PlanProducts & { products: Product[] }>();
  for (const product of products) {
    const plan = findPlanByProductId(product.id);
    const slug = plan?.slug ?? product.id;
    const known = plans.get(slug);
    if (known) known.products.push(product);
    else plans.set(slug, { slug, name: plan?.name ?? product.id, isRetiring: !!plan?.retiring, products: [product] });
  }
  return [...plans.values()];
}

/** Formats both prices of an option: `US$949.00 / A$1,566.40 incl. GST`. */
export function formatPrices(product: Product): string {
  const gst = product.gstCents > 0 ? " incl. GST" : "";
  return `${formatUsd(product.planPrice.usdCents)} / ${formatAud(product.totalCents)}${gst}`;
}

/** Returns how much a year costs less than twelve months, in whole percent rounded down; 0 without both prices. */
export function calculateYearlySaving({ products }: PlanProducts): number {
  const [monthly, yearly] = (["MONTHLY", "YEARLY"] satisfies BillingInterval[]).map(
    (interval) => products.find(({ planPrice }) => planPrice.interval === interval)?.amountCents,
  );
  return monthly && yearly ? Math.max(0, Math.floor(100 - (100 * yearly) / (12 * monthly))) : 0;
}
