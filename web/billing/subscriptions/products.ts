import { billingIntervals, findPlanByProductId, getChangeTiming } from "#schema/plan-catalogue.ts";
import type { BillingInterval, SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import { toValue } from "#schema/closed-list.ts";
import { formatAud, formatUsd } from "#schema/money.ts";

export type Product = SubscriptionFieldsFragment["products"][number];

/** The period that a price pays for, as in `A$164.95 a month`. */
export const periodNames: Readonly<Record<BillingInterval, string>> = { MONTHLY: "month", YEARLY: "year" };

/** Formats a plan price as `Professional, yearly`. */
export function formatLevel({ id, interval }: Product["planPrice"]): string {
  return `${findPlanByProductId(id)?.name ?? id}, ${toValue(billingIntervals, interval)}`;
}

/**
 * Returns whether a subscription's change to a product starts today (`now`) or with the next payment (`renewal`). The amount of
 * a current plan price that is off sale isn't known and doesn't decide.
 */
export function findChangeTiming(
  { planPrice, changesAtRenewal }: NonNullable<SubscriptionFieldsFragment["subscription"]>,
  products: readonly Product[],
  to: Product,
): "now" | "renewal" {
  if (changesAtRenewal) return "renewal";
  const from: Partial<Product> & Pick<Product, "planPrice"> = products.find(({ id }) => id === planPrice.id) ?? {
    planPrice,
  };
  const [current, next] = [from, to].map(({ planPrice: { id, interval }, amountCents = 0 }) => ({
    id,
    productLevel: findPlanByProductId(id)?.productLevel ?? 0,
    interval: toValue(billingIntervals, interval),
    amountCents,
  }));
  return current && next ? getChangeTiming(current, next) : "renewal";
}

/**
 * Returns a price to offer instead of a cancellation: of a plan that isn't retiring, and cheaper per payment or per month.
 * A price with the same interval comes first. Null if there is none.
 */
export function findCheaperProduct(
  products: readonly Product[],
  { id, interval }: Product["planPrice"],
): Product | null {
  const current = products.find((product) => product.id === id);
  if (!current) return null;
  const cheaper = products.filter(
    (product) =>
      !findPlanByProductId(product.id)?.retiring &&
      (product.totalCents < current.totalCents || getMonthlyCents(product) < getMonthlyCents(current)),
  );
  const rank = ({ planPrice }: Product) => (planPrice.interval === interval ? 0 : 1);
  return cheaper.toSorted((a, b) => rank(a) - rank(b) || a.totalCents - b.totalCents)[0] ?? null;
}

const getMonthlyCents = ({ totalCents, planPrice }: Product) =>
  planPrice.interval === "YEARLY" ? totalCents / 12 : totalCents;

/** Returns the price to suggest: of the highest plan that isn't retiring, for a year if there is one. */
export function findSuggestedProduct(products: readonly Product[]): Product | null {
  const current = products.filter(({ id }) => !findPlanByProductId(id)?.retiring);
  const [first] = current;
  const sameName = current.filter(({ id }) => first && findPlanByProductId(id) === findPlanByProductId(first.id));
  return sameName.find(({ planPrice }) => planPrice.interval === "YEARLY") ?? first ?? products[0] ?? null;
}

/** Returns the product for a route's price id, or a plan slug's first price; null if it isn't on sale. */
export function findProduct(products: readonly Product[], productId: string): Product | null {
  const wanted = productId.toLowerCase();
  return (
    products.find(({ id }) => id === wanted) ??
    products.find(({ id }) => findPlanByProductId(id)?.slug === wanted) ??
    null
  );
}

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
