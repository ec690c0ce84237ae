import { planIntervals, buildPlanPriceId } from "#schema/plan-catalogue.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { Plan, PlanPrice } from "./plan.entity.ts";

/**
 * Finds a plan price and its plan by price id, or by plan slug for the monthly price. Returns null if there is none.
 * Includes plans that are off sale; check `price.plan.sellable`.
 */
export async function findPlanPrice(em: EntityManager, slugOrPriceId: string): Promise<PlanPrice | null> {
  return (await findPlanPrices(em, [slugOrPriceId])).get(slugOrPriceId) ?? null;
}

/**
 * Finds several plan prices in one query, as {@link findPlanPrice} does. The result is keyed by the slug or price id
 * given.
 */
export async function findPlanPrices(
  em: EntityManager,
  slugsOrPriceIds: readonly string[],
): Promise<ReadonlyMap<string, PlanPrice>> {
  const idsByName = new Map(
    slugsOrPriceIds.map((name) => {
      const id = name.trim().toLowerCase();
      return [name, /^[a-z0-9-]{1,100}$/u.test(id) ? [id, buildPlanPriceId(id, "monthly")] : []] as const;
    }),
  );
  const ids = [...new Set([...idsByName.values()].flat())];
  if (ids.length === 0) return new Map();
  const candidates = await em.find(PlanPrice, { id: { $in: ids } }, { populate: ["plan"] });
  const byId = new Map(candidates.map((price) => [price.id, price]));
  const found = new Map<string, PlanPrice>();
  for (const [name, [id = "", monthlyId = ""]] of idsByName) {
    const price = byId.get(id) ?? byId.get(monthlyId);
    if (price) found.set(name, price);
  }
  return found;
}

/** Returns the plans on sale with their prices, the flagship first. */
export async function listPlansOnSale(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, { sellable: true }, { populate: ["prices"], orderBy: { productLevel: "desc" } });
}

/** Returns a plan's prices, the monthly price first. */
export function sortPrices(plan: Plan): PlanPrice[] {
  return planIntervals.flatMap((interval) => plan.prices.getItems().filter((price) => price.interval === interval));
}

/** Formats a plan price for display: `Professional, yearly`. */
export function formatPlanPrice({ plan, interval }: PlanPrice): string {
  return `${plan.name}, ${interval}`;
}

/** Returns the plan name of a price id, such as `Professional`, or the id if it isn't in the catalogue. */
export async function findPlanName(em: EntityManager, planPriceId: string): Promise<string> {
  return (await findPlanPrice(em, planPriceId))?.plan.name ?? planPriceId;
}
