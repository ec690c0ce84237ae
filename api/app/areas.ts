import { licenceBacking } from "#api/licensing/licences/licence-backing.ts";
import { subscriptionBacking } from "#api/selling/subscriptions/licence-backing.ts";

/** Hands lower areas what higher ones provide, as `scripts/lint/areas.mjs` forbids them to import it. */
export function connectAreas(): void {
  licenceBacking.provide(subscriptionBacking);
}
