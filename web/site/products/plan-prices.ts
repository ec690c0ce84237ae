import { useEffect } from "react";
import { createStore } from "#web/platform/store.ts";
import { addAustralianGst } from "#schema/money.ts";
import {
  buildPlanPriceId,
  type CataloguePlan,
  type CataloguePrice,
  findPlanByProductId,
  planCatalogue,
  planIntervals,
} from "#schema/plan-catalogue.ts";

/** Prices in force by price id. */
type CurrentPrices = ReadonlyMap<string, CataloguePrice>;

/**
 * Returns the prices of a plan without tax in US cents, and the saving of a yearly payment over twelve monthly ones: by the
 * current prices if they are known, otherwise the catalogue's.
 * @throws {Error} if the slug is unknown
 */
export function getPlanPrices(slug: string, current: CurrentPrices | null = null) {
  const plan: CataloguePlan | undefined = findPlanByProductId(slug);
  if (!plan) throw new Error(`schema/plan-catalogue.ts has no plan ${slug}.`);
  const [monthly, yearly] = (["monthly", "yearly"] as const).map(
    (interval) => current?.get(buildPlanPriceId(slug, interval)) ?? plan.prices[interval],
  ) as [CataloguePrice, CataloguePrice];
  const twelveMonths = 12 * monthly.usdCents;
  return {
    monthly: monthly.usdCents,
    yearly: yearly.usdCents,
    /** Prices in AUD cents, including GST. */
    withGst: { monthly: addAustralianGst(monthly.audCents), yearly: addAustralianGst(yearly.audCents) },
    twelveMonths,
    saved: Math.max(0, twelveMonths - yearly.usdCents),
    /** Yearly price as a percentage of twelve monthly payments. */
    yearlyShare: Math.min(100, (100 * yearly.usdCents) / twelveMonths),
    /** False if staff took the plan off sale. The prices are then not in force. */
    isOnSale: current?.has(buildPlanPriceId(slug, "monthly")) ?? true,
  };
}

const current = createStore<CurrentPrices | null>(null);
let request: Promise<void> | null = null;

/**
 * Returns a function that reads a plan's prices. Prerendered pages contain the catalogue's prices, which staff may have
 * changed since the build, so the prices in force are loaded once and replace them.
 */
export function usePlanPrices() {
  const known = current.use();
  useEffect(() => {
    request ??= loadPrices().catch(() => {
      // The catalogue's prices stay. The next page tries again.
      request = null;
    });
  }, []);
  return (slug: string) => getPlanPrices(slug, known);
}

interface PublishedPlan {
  readonly prices: readonly (CataloguePrice & { readonly id: string })[];
}

async function loadPrices(): Promise<void> {
  const response = await fetch("/v1/plans", { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`GET /v1/plans returned ${response.status}`);
  const plans = (await response.json()) as readonly PublishedPlan[];
  const prices = new Map(plans.flatMap((plan) => plan.prices.map((price) => [price.id, price] as const)));
  current.set(prices);
  // Search engines read the offers in the page's JSON-LD, which has the catalogue's prices.
  if (isChanged(prices)) document.querySelector('script[type="application/ld+json"]')?.remove();
}

/** Returns whether a price differs from the catalogue's, or a plan is off sale. */
function isChanged(prices: CurrentPrices): boolean {
  return planCatalogue.some(({ slug, prices: listed }) =>
    planIntervals.some(
      (interval) => prices.get(buildPlanPriceId(slug, interval))?.usdCents !== listed[interval].usdCents,
    ),
  );
}
