import { brand } from "./brand.ts";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { ProductLevel } from "./product-level.ts";

/** Billing intervals of a plan price. */
export const billingIntervals = defineList("BillingInterval", "How often a plan price is charged.", {
  MONTHLY: ["monthly", "Monthly", "Every month."],
  YEARLY: ["yearly", "Yearly", "Every year."],
});
export const planIntervals = listValues(billingIntervals);
export type PlanInterval = ValueOf<typeof billingIntervals>;

/** Price of one interval, in cents without GST. AUD is charged and invoiced; USD is shown in marketing. */
export interface CataloguePrice {
  readonly audCents: number;
  readonly usdCents: number;
}

export interface CataloguePlan {
  /** Stable name used in routes. Price ids start with it. */
  readonly slug: string;
  readonly name: string;
  /** Product level of the licence that comes with the subscription. */
  readonly productLevel: number;
  /** True if the plan is still sold, but labelled as a retiring option. */
  readonly retiring: boolean;
  readonly prices: Readonly<Record<PlanInterval, CataloguePrice>>;
}

/**
 * The vendor's plan catalogue (docs/domain.md#plans). `upsertCatalogue` copies it to the database. Whether a plan is on
 * sale is stored only in the database.
 */
export const planCatalogue = [
  {
    slug: `${brand.segment}-standard`,
    name: "Standard",
    productLevel: ProductLevel.Standard,
    retiring: true,
    prices: { monthly: { audCents: 7_495, usdCents: 4_995 }, yearly: { audCents: 71_100, usdCents: 47_400 } },
  },
  {
    slug: `${brand.segment}-plus`,
    name: "Plus+",
    productLevel: ProductLevel.Plus,
    retiring: true,
    prices: { monthly: { audCents: 11_245, usdCents: 7_495 }, yearly: { audCents: 106_800, usdCents: 71_200 } },
  },
  {
    slug: `${brand.segment}-professional`,
    name: "Professional",
    productLevel: ProductLevel.Professional,
    retiring: false,
    prices: { monthly: { audCents: 14_995, usdCents: 9_995 }, yearly: { audCents: 142_400, usdCents: 94_900 } },
  },
] as const satisfies readonly CataloguePlan[];

/** Error if a plan price is not on sale any more. */
export const NOT_ON_SALE = "Sorry, this subscription level is not available any more. Please choose another.";

/** Error if a price isn't the one that the customer saw. */
export const PRICE_CHANGED =
  "The price has changed since it was shown to you. Please review the new price before you subscribe.";

/** Returns the id of a plan's price, such as `xer-professional-yearly`, which `/v1/subscriptions` calls `productId`. */
export function buildPlanPriceId(slug: string, interval: PlanInterval): string {
  return `${slug}-${interval}`;
}

const plans: readonly CataloguePlan[] = planCatalogue;

/** All plan prices with their labels, such as `Professional, yearly`, the flagship first. */
export const planPriceOptions: readonly { readonly value: string; readonly label: string }[] = plans
  .toReversed()
  .flatMap(({ slug, name }) =>
    planIntervals.map((interval) => ({ value: buildPlanPriceId(slug, interval), label: `${name}, ${interval}` })),
  );

/** Returns the labels of plan prices, such as `Professional, yearly; Plus+, yearly`. */
export function formatPlanPrices(ids: readonly string[]): string {
  const named = planPriceOptions.filter(({ value }) => ids.includes(value));
  return named.map(({ label }) => label).join("; ");
}

/** Returns the plan for a slug or one of its price ids, ignoring case; undefined if there is none. */
export function findPlanByProductId(productId: string): CataloguePlan | undefined {
  const wanted = productId.toLowerCase();
  return plans.find(({ slug }) =>
    [slug, ...planIntervals.map((interval) => buildPlanPriceId(slug, interval))].includes(wanted),
  );
}

/** The part of a plan price that decides when a change to or from it takes effect. */
interface ChangeablePlan {
  readonly id: string;
  readonly productLevel: number;
  readonly interval: PlanInterval;
  /** What the customer pays, or would pay, for each period, in cents before GST. */
  readonly amountCents: number;
}

/**
 * Decides when a plan change happens. A change to a higher level or from monthly to yearly happens `now`, pro rata. A
 * change to a lower level or from yearly to monthly happens at the next `renewal` (docs/domain.md#change-plan). A
 * change from yearly to a higher level paid monthly, or to a lower price, also waits, because what is paid for is worth
 * more than the new plan, and nothing is refunded (decisions 0021 and 0267). The current plan itself is kept.
 */
export function getChangeTiming(from: ChangeablePlan, to: ChangeablePlan): "now" | "renewal" {
  if (to.id === from.id || to.productLevel < from.productLevel || to.amountCents < from.amountCents) return "renewal";
  return from.interval === "yearly" && to.interval === "monthly" ? "renewal" : "now";
}
