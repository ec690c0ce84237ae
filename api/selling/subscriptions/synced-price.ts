import type { SyncedPrice } from "#api/platform/payments/payments.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";

/** A plan price as the provider is told of it. */
export function syncedPrice(price: PlanPrice): SyncedPrice {
  return { id: price.id, planSlug: price.plan.slug, interval: price.interval, audCents: price.audCents };
}
