import {
  type CataloguePlan,
  planCatalogue,
  planIntervals,
  planOfProductId,
  planPriceId,
} from "#schema/plan-catalogue.ts";
import type { SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import type { SelectOption } from "#web/ui/form/fields.tsx";

/** A plan price as it is offered to the customer. */
export type Product = SubscriptionFieldsFragment["products"][number];

const plans: readonly CataloguePlan[] = planCatalogue;

/** The plan of a price id of the catalogue. */
function planOf(priceId: string): CataloguePlan | undefined {
  return plans.find(({ slug }) => planIntervals.some((interval) => planPriceId(slug, interval) === priceId));
}

/** `Professional, yearly`. */
export function levelName({ id, interval }: Product["planPrice"]): string {
  return `${planOf(id)?.name ?? id}, ${interval}`;
}

/** The choices of Subscription Level; retiring plans say so. */
export function levelOptions(products: readonly Product[]): SelectOption[] {
  return products.map(({ id, planPrice }) => ({
    value: id,
    label: levelName(planPrice) + (planOf(id)?.retiring ? " (retiring)" : ""),
  }));
}

/** The product of a route, a price id or a plan's slug for its first price; null when it is not on sale. */
export function productOf(products: readonly Product[], productId: string): Product | null {
  const wanted = productId.toLowerCase();
  return products.find(({ id }) => id === wanted) ?? products.find(({ id }) => planOf(id)?.slug === wanted) ?? null;
}

/** Whether there is such a plan or plan price, on sale or not. */
export function isKnownProduct(productId: string): boolean {
  return planOfProductId(productId) !== undefined;
}
