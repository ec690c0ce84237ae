import { planIntervals, planPriceId } from "#schema/plan-catalogue.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { Plan } from "./plan.entity.ts";
import { PlanPrice } from "./plan-price.entity.ts";

/**
 * A plan price, with its plan, by its id or by a plan's slug, which means the plan's monthly price (DOMAIN §2: routes
 * accept both); null for anything else. Plans that are off sale are found too: look at `price.plan.sellable`.
 */
export async function findPlanPrice(em: EntityManager, slugOrPriceId: string): Promise<PlanPrice | null> {
  const id = slugOrPriceId.trim().toLowerCase();
  if (!/^[a-z0-9-]{1,100}$/u.test(id)) return null;
  const candidates = await em.find(
    PlanPrice,
    { id: { $in: [id, planPriceId(id, "monthly")] } },
    { populate: ["plan"], orderBy: { id: "asc" } },
  );
  return candidates.find((price) => price.id === id) ?? candidates[0] ?? null;
}

/** The plans on sale with their prices, the flagship first, each plan's monthly price before its yearly one. */
export async function listPlansOnSale(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, { sellable: true }, { populate: ["prices"], orderBy: { productLevel: "desc" } });
}

/** A plan's prices, monthly first. */
export function pricesInOrder(plan: Plan): PlanPrice[] {
  return planIntervals.flatMap((interval) => plan.prices.getItems().filter((price) => price.interval === interval));
}
