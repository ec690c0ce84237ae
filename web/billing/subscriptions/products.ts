import {
  billingIntervals,
  buildPlanPriceId,
  type CataloguePlan,
  findPlanByProductId,
  getChangeTiming,
  planCatalogue,
  planIntervals,
} from "#schema/plan-catalogue.ts";
import type { SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import { toValue } from "#schema/closed-list.ts";

/** A plan price offered to the customer. */
export type Product = SubscriptionFieldsFragment["products"][number];

const plans: readonly CataloguePlan[] = planCatalogue;

/** Returns the catalogue plan of a price id. */
function findPlan(priceId: string): CataloguePlan | undefined {
  return plans.find(({ slug }) => planIntervals.some((interval) => buildPlanPriceId(slug, interval) === priceId));
}

/** Formats a plan price as `Professional, yearly`. */
export function formatLevel({ id, interval }: Product["planPrice"]): string {
  return `${findPlan(id)?.name ?? id}, ${toValue(billingIntervals, interval)}`;
}

/** Returns whether a change between two plan prices starts today (`now`) or with the next payment (`renewal`). */
export function findChangeTiming(from: Product["planPrice"], to: Product["planPrice"]): "now" | "renewal" {
  const [current, next] = [from, to].map(({ id, interval }) => ({
    productLevel: findPlan(id)?.productLevel ?? 0,
    interval: toValue(billingIntervals, interval),
  }));
  return current && next ? getChangeTiming(current, next) : "renewal";
}

/** Returns the cheapest plan price below a price, with the same interval, or null if that price is the cheapest. */
export function findCheaperProduct(
  products: readonly Product[],
  { id, interval }: Product["planPrice"],
): Product | null {
  const sameInterval = products.filter(({ planPrice }) => planPrice.interval === interval);
  const current = sameInterval.find((product) => product.id === id);
  const cheaper = sameInterval.filter(({ totalCents }) => current && totalCents < current.totalCents);
  return cheaper.toSorted((a, b) => a.totalCents - b.totalCents)[0] ?? null;
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
