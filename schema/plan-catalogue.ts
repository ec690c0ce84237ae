import { brand } from "./brand.ts";
import { ProductLevel } from "./product-level.ts";

/** How often a plan price is charged. */
export const planIntervals = ["monthly", "yearly"] as const;
export type PlanInterval = (typeof planIntervals)[number];

/** What one interval costs, in cents without GST: AUD is charged and invoiced, USD stands in marketing. */
export interface CataloguePrice {
  readonly audCents: number;
  readonly usdCents: number;
}

/** Something sold. */
export interface CataloguePlan {
  /** Stable name in routes; price ids begin with it. */
  readonly slug: string;
  readonly name: string;
  /** Number on the licence that a subscription keeps alive. */
  readonly productLevel: number;
  /** Still sold, and labelled as a retiring option. */
  readonly retiring: boolean;
  readonly prices: Readonly<Record<PlanInterval, CataloguePrice>>;
}

/**
 * What is sold, as the vendor keeps it in one file (docs/domain.md#plans). The database holds a copy, which
 * `upsertCatalogue` brings up to this; whether a plan is on sale is the database's own.
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

/** Id of a plan's price, such as `xer-professional-yearly`; `/v1/subscriptions` calls it `productId`. */
export function planPriceId(slug: string, interval: PlanInterval): string {
  return `${slug}-${interval}`;
}

const plans: readonly CataloguePlan[] = planCatalogue;

/** The plan that a route names by its slug or by one of its price ids, in any case; undefined for anything else. */
export function planOfProductId(productId: string): CataloguePlan | undefined {
  const wanted = productId.toLowerCase();
  return plans.find(({ slug }) =>
    [slug, ...planIntervals.map((interval) => planPriceId(slug, interval))].includes(wanted),
  );
}
