import {
  type CataloguePlan,
  planCatalogue,
  planIntervals,
  findPlanByProductId,
  buildPlanPriceId,
} from "#schema/plan-catalogue.ts";
import type { SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import type { SelectOption } from "#web/ui/form/use-field.tsx";

/** A plan price offered to the customer. */
export type Product = SubscriptionFieldsFragment["products"][number];

const plans: readonly CataloguePlan[] = planCatalogue;

/** Returns the catalogue plan of a price id. */
function findPlan(priceId: string): CataloguePlan | undefined {
  return plans.find(({ slug }) => planIntervals.some((interval) => buildPlanPriceId(slug, interval) === priceId));
}

/** Formats a plan price as `Professional, yearly`. */
export function formatLevel({ id, interval }: Product["planPrice"]): string {
  return `${findPlan(id)?.name ?? id}, ${interval}`;
}

/** Returns the options of the Subscription Level field. Retiring plans are marked. */
export function buildLevelOptions(products: readonly Product[]): SelectOption[] {
  return products.map(({ id, planPrice }) => ({
    value: id,
    label: formatLevel(planPrice) + (findPlan(id)?.retiring ? " (retiring)" : ""),
  }));
}

/** Returns the product for a route's price id, or a plan slug's first price; null if it isn't on sale. */
export function findProduct(products: readonly Product[], productId: string): Product | null {
  const wanted = productId.toLowerCase();
  return products.find(({ id }) => id === wanted) ?? products.find(({ id }) => findPlan(id)?.slug === wanted) ?? null;
}

/** Returns true if the plan or plan price exists, on sale or not. */
export function isKnownProduct(productId: string): boolean {
  return findPlanByProductId(productId) !== undefined;
}
