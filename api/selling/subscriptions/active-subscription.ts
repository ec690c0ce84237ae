import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { runningStatuses } from "./subscription-states.ts";
import { Subscription } from "./subscription.entity.ts";
import { AppError } from "#api/platform/errors.ts";

type Asker = Pick<Context, "em">;
type Loaders = WeakMap<EntityManager, DataLoader<string, boolean>>;

// One loader a unit of work: a list of users or licences costs one statement.
const ofUsers: Loaders = new WeakMap();
const ofLicences: Loaders = new WeakMap();

const running = { status: { $in: [...runningStatuses] } };

/** Whether a user pays for a running subscription, a failed renewal in its grace included. */
export function hasActiveSubscription(context: Asker, userId: string): Promise<boolean> {
  return ask(ofUsers, context, userId, async (ids) => {
    const found = await context.em.find(Subscription, { user: { $in: [...ids] }, ...running });
    return found.map((subscription) => subscription.user.id);
  });
}

/** Whether a running subscription keeps a licence alive, a failed renewal in its grace included. */
export function isKeptBySubscription(context: Asker, licenceId: string): Promise<boolean> {
  return ask(ofLicences, context, licenceId, async (ids) => {
    const found = await context.em.find(Subscription, { licence: { $in: [...ids] }, ...running });
    return found.map((subscription) => subscription.licence.id);
  });
}

/** @param findThem those of the ids that have one */
function ask(
  loaders: Loaders,
  { em }: Asker,
  id: string,
  findThem: (ids: readonly string[]) => Promise<string[]>,
): Promise<boolean> {
  let loader = loaders.get(em);
  if (!loader) {
    loader = new DataLoader(
      async (ids) => {
        const found = new Set(await findThem(ids));
        return ids.map((one) => found.has(one));
      },
      { cache: false },
    );
    loaders.set(em, loader);
  }
  return loader.load(id);
}

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
