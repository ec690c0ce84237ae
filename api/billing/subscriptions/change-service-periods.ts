import type { EntityManager } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { endServicePeriods, moveServicePeriods } from "#api/billing/revenue/service-periods.ts";
import { Subscription } from "./subscription.entity.ts";

/** Moves the days over which payments are earned by pauses, and releases the rest of subscriptions that ended. */
export async function changeServicePeriods(em: EntityManager, found: readonly ProviderSubscription[]): Promise<void> {
  await em.flush();
  for (const [providerId, { id }] of await findSubscriptions(em, found)) {
    await moveServicePeriods(em, id);
    const endedAt = found.find((one) => one.id === providerId)?.endedAt;
    if (endedAt) await endServicePeriods(em, { subscriptionId: id }, endedAt);
  }
}

/** Returns our subscriptions by the provider's ids. */
export async function findSubscriptions(
  em: EntityManager,
  found: readonly ProviderSubscription[],
): Promise<Map<string, Subscription>> {
  const ids = found.map(({ id }) => id);
  const known = await em.find(Subscription, { providerSubscriptionId: { $in: ids } }, { populate: ["licence"] });
  return new Map(known.map((one) => [one.providerSubscriptionId ?? "", one]));
}
