import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/loaders.ts";
import { runningStatuses } from "./subscription-states.ts";
import { Subscription } from "./subscription.entity.ts";

const running = { status: { $in: [...runningStatuses] } };

/** Returns whether a user pays for a running subscription, a failed renewal in its grace included. */
export const hasActiveSubscription = createLoader(
  async ({ em }: Pick<Context, "em">, userIds: readonly string[]): Promise<boolean[]> => {
    const found = await em.find(Subscription, { user: { $in: [...userIds] }, ...running });
    const users = new Set(found.map(({ user }) => user.id));
    return userIds.map((id) => users.has(id));
  },
);

/** Returns whether a running subscription keeps a licence alive, a failed renewal in its grace included. */
export const isKeptBySubscription = createLoader(
  async ({ em }: Pick<Context, "em">, licenceIds: readonly string[]): Promise<boolean[]> => {
    const found = await em.find(Subscription, { licence: { $in: [...licenceIds] }, ...running });
    const licences = new Set(found.map(({ licence }) => licence.id));
    return licenceIds.map((id) => licences.has(id));
  },
);
