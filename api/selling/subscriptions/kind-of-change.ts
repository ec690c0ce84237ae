import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";

/**
 * When a change of plan happens: `now`, pro rata, for a higher level or from monthly to yearly; with the next `renewal`
 * for a lower level or from yearly to monthly (docs/domain.md#change-plan). A higher level at the shorter interval
 * waits too: what was paid for the year is more than a month of the higher level costs, and nothing is paid back
 * (decision 0021).
 */
export function kindOfChange(from: PlanPrice, to: PlanPrice): "now" | "renewal" {
  if (to.plan.productLevel < from.plan.productLevel) return "renewal";
  const isShorter = from.interval === "yearly" && to.interval === "monthly";
  return isShorter ? "renewal" : "now";
}
