import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { runningStatuses } from "./subscription-states.ts";
import { Subscription } from "./subscription.entity.ts";
import { AppError } from "#api/platform/errors.ts";

const running = { status: { $in: [...runningStatuses] } };

/** Returns whether a user has a running subscription, including one in the grace period after a failed renewal. */
export const hasActiveSubscription = createLoader(
  async ({ em }: Pick<Context, "em">, userIds: readonly string[]): Promise<boolean[]> => {
    const found = await em.find(Subscription, { user: { $in: [...userIds] }, ...running });
    const users = new Set(found.map(({ user }) => user.id));
    return userIds.map((id) => users.has(id));
  },
);

/** Returns whether a licence has a running subscription, including one in the grace period after a failed renewal. */
export const hasRunningSubscription = createLoader(
  async ({ em }: Pick<Context, "em">, licenceIds: readonly string[]): Promise<boolean[]> => {
    const found = await em.find(Subscription, { licence: { $in: [...licenceIds] }, ...running });
    const licences = new Set(found.map(({ licence }) => licence.id));
    return licenceIds.map((id) => licences.has(id));
  },
);

/**
 * Returns the caller's running subscription, including one in the grace period after a failed renewal.
 * @throws AppError CONFLICT if the caller has no running subscription.
 */
export async function getRunningSubscription(context: Context): Promise<Subscription> {
  const running = await findRunningSubscriptionOfUser(context, context.actor?.userId ?? "");
  if (!running) throw new AppError("CONFLICT", { message: "You don't have an active subscription." });
  return running;
}

/** Returns a user's running subscription, or null. */
export async function findRunningSubscriptionOfUser(
  { em }: Pick<Context, "em">,
  userId: string,
): Promise<Subscription | null> {
  return em.findOne(
    Subscription,
    { user: userId, status: { $in: [...runningStatuses] } },
    { populate: ["licence"], refresh: true },
  );
}
