import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { runningStatuses } from "./subscription-states.ts";
import { Subscription } from "./subscription.entity.ts";

/**
 * The signed-in customer's subscription that runs, a failed renewal in its grace included.
 * @throws AppError CONFLICT when there is none.
 */
export async function findRunningSubscription(context: Context): Promise<Subscription> {
  const running = await runningSubscriptionOf(context, context.actor?.userId ?? "");
  if (!running) throw new AppError("CONFLICT", { message: "You don't have an active subscription." });
  return running;
}

/** A user's subscription that runs; null when there is none. */
export async function runningSubscriptionOf({ em }: Pick<Context, "em">, userId: string): Promise<Subscription | null> {
  return em.findOne(
    Subscription,
    { user: userId, status: { $in: [...runningStatuses] } },
    { populate: ["licence"], refresh: true },
  );
}
