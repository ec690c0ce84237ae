import { planCatalogue, planIntervals, buildPlanPriceId } from "#schema/plan-catalogue.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import type { SyncedPrice } from "#api/platform/payments/payments.ts";
import { Plan, PlanPrice } from "./plan.entity.ts";
import { applyDuePrices, changePrice } from "./price-versions.ts";
import type { Context } from "#api/platform/context.ts";

/**
 * Updates the plans in the database from the catalogue file. Plans removed from the file go off sale and are kept for
 * their subscribers; all other plans stay on or off sale as they are. Prices that staff have set stay. Idempotent.
 */
export async function upsertCatalogue(context: Pick<Context, "em" | "clock">): Promise<void> {
  const work = async (tx: EntityManager): Promise<void> => {
    const known = new Map((await tx.find(Plan, {})).map((plan) => [plan.slug, plan]));
    const prices = new Map((await tx.find(PlanPrice, {})).map((price) => [price.id, price]));
    for (const { prices: amounts, ...values } of planCatalogue) {
      const plan = known.get(values.slug) ?? tx.create(Plan, values);
      known.delete(values.slug);
      tx.assign(plan, values);
      for (const interval of planIntervals) {
        const id = buildPlanPriceId(values.slug, interval);
        const price = prices.get(id);
        if (!price) tx.create(PlanPrice, { id, plan, interval, ...amounts[interval] });
        else await changePrice(context, tx, price, { ...amounts[interval], staff: null });
      }
    }
    for (const removed of known.values()) removed.sellable = false;
    await tx.flush();
  };
  await inTransaction(context, work);
  await applyDuePrices(context);
}

/** Converts a plan price, with its plan, to the form sent to the provider. */
export function toSyncedPrice({ id, plan, interval, audCents }: PlanPrice): SyncedPrice {
  return { id, planSlug: plan.slug, planName: plan.name, interval, audCents };
}

/**
 * Syncs products, prices and names to the payment provider. Idempotent.
 * @returns the number of prices synced.
 * @throws AppError UNAVAILABLE if the provider is unreachable.
 */
export async function syncPlans({ em, payments }: Pick<Context, "em" | "payments">): Promise<number> {
  const plans = await em.find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "asc" } });
  const synced = plans.map(({ slug, name, prices }) => ({ slug, name, prices: prices.getItems().map(toSyncedPrice) }));
  await payments.syncPlans(synced);
  return synced.flatMap(({ prices }) => prices).length;
}
