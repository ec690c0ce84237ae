import type { Context } from "#api/platform/context.ts";
import { Plan } from "./plan.entity.ts";

/**
 * Pushes the catalogue to the payment provider: products, prices, names. Doing it twice changes nothing.
 * @returns how many prices are there.
 * @throws AppError UNAVAILABLE when the provider is away.
 */
export async function syncPlans({ em, payments }: Pick<Context, "em" | "payments">): Promise<number> {
  const plans = await em.find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "asc" } });
  const synced = plans.map(({ slug, name, prices }) => ({
    slug,
    name,
    prices: prices.getItems().map(({ id, interval, audCents }) => ({ id, planSlug: slug, interval, audCents })),
  }));
  await payments.syncPlans(synced);
  return synced.flatMap(({ prices }) => prices).length;
}
