import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { Subscription } from "./subscription.entity.ts";

// One loader a unit of work: a list of users costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, boolean>>();

/** Whether a user pays for a running subscription, a failed renewal in its grace included. */
export function hasActiveSubscription(context: Pick<Context, "em">, userId: string): Promise<boolean> {
  let loader = loaders.get(context.em);
  if (!loader) {
    loader = new DataLoader(
      async (userIds) => {
        const active = await context.em.find(Subscription, {
          user: { $in: [...userIds] },
          status: { $in: ["active", "past_due"] },
        });
        const paying = new Set(active.map((subscription) => subscription.user.id));
        return userIds.map((id) => paying.has(id));
      },
      { cache: false },
    );
    loaders.set(context.em, loader);
  }
  return loader.load(userId);
}
