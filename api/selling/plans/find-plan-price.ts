import { planIntervals, planPriceId } from "#schema/plan-catalogue.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { Plan } from "./plan.entity.ts";
import { PlanPrice } from "./plan-price.entity.ts";

/**
 * A plan price, with its plan, by its id or by a plan's slug, which means the plan's monthly price;
 * null for anything else. Plans that are off sale are found too: look at `price.plan.sellable`.
 */
export async function findPlanPrice(em: EntityManager, slugOrPriceId: string): Promise<PlanPrice | null> {
  return (await findPlanPrices(em, [slugOrPriceId])).get(slugOrPriceId) ?? null;
}

/** Returns the plan prices {@link findPlanPrice} finds for several names, by name, in one statement. */
export async function findPlanPrices(
  em: EntityManager,
  slugsOrPriceIds: readonly string[],
): Promise<ReadonlyMap<string, PlanPrice>> {
  const idsByName = new Map(
    slugsOrPriceIds.map((name) => {
      const id = name.trim().toLowerCase();
      return [name, /^[a-z0-9-]{1,100}$/u.test(id) ? [id, planPriceId(id, "monthly")] : []] as const;
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

/** The plans on sale with their prices, the flagship first, each plan's monthly price before its yearly one. */
export async function listPlansOnSale(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, { sellable: true }, { populate: ["prices"], orderBy: { productLevel: "desc" } });
}

/** A plan's prices, monthly first. */
export function pricesInOrder(plan: Plan): PlanPrice[] {
  return planIntervals.flatMap((interval) => plan.prices.getItems().filter((price) => price.interval === interval));
}

/** A plan price as people read it: `Professional, yearly`. */
export function planPriceName({ plan, interval }: PlanPrice): string {
  return `${plan.name}, ${interval}`;
}

/** The plan's name of a price id: `Professional`; the id itself for one that the catalogue no longer has. */
export async function planNameOf(em: EntityManager, planPriceId: string): Promise<string> {
  return (await findPlanPrice(em, planPriceId))?.plan.name ?? planPriceId;
}
