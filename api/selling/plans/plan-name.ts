import type { EntityManager } from "#api/platform/database.ts";
import { findPlanPrice } from "./find-plan-price.ts";
import type { PlanPrice } from "./plan-price.entity.ts";

/** A plan price as people read it: `Professional, yearly`. */
export function planPriceName({ plan, interval }: PlanPrice): string {
  return `${plan.name}, ${interval}`;
}

/** The plan's name of a price id: `Professional`; the id itself for one that the catalogue no longer has. */
export async function planNameOf(em: EntityManager, planPriceId: string): Promise<string> {
  return (await findPlanPrice(em, planPriceId))?.plan.name ?? planPriceId;
}
