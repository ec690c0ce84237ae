import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { Plan, PriceVersion } from "#api/billing/plans/plan.entity.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";

/** Returns all plans with their current prices, the flagship first. */
export async function listAllPlans(context: Pick<Context, "em" | "clock">): Promise<Plan[]> {
  await applyDuePrices(context);
  return context.em.find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "desc" } });
}

/** Loads the versions of a plan price, latest start first. */
export const listVersions = createRelationLoader<PriceVersion>({
  entity: PriceVersion,
  of: "planPrice",
  orderBy: { startsAt: "desc", createdAt: "desc" },
});

interface SubscriberCounts {
  readonly count: number;
  /** Subscribers who pay another amount than the current price. */
  readonly otherAmountCount: number;
}

/** Loads the number of running subscriptions of a plan price. */
export const loadSubscriberCounts = createLoader(
  async ({ em }: Pick<Context, "em">, priceIds: readonly string[]): Promise<SubscriberCounts[]> => {
    const rows = await query<SubscriberCounts & { id: string }>(
      em,
      `select p.id, count(*)::int as count,
              (count(*) filter (where s.amount_cents <> p.aud_cents))::int as "otherAmountCount"
         from subscriptions s join plan_prices p on p.id = s.plan_price
        where ${isRunningSql} and p.id = any($1) group by p.id`,
      [[...priceIds]],
    );
    return priceIds.map((id) => rows.find((row) => row.id === id) ?? { count: 0, otherAmountCount: 0 });
  },
);
