import { DAY } from "#api/platform/clock.ts";
import { PAYMENT_GRACE_MS } from "./payment-rules.ts";
import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { Subscription } from "./subscription.entity.ts";
import { conflict } from "#api/platform/errors.ts";

/**
 * Subscription states. All queries that select subscriptions by status use one of these definitions.
 *
 * - *Running*: the agreement exists at the payment provider, so it can be paid, changed or cancelled, and the user can't
 *   start a second one. Customer screens call this an active subscription.
 * - *Active*: running and paid. Only active subscriptions count as revenue.
 * - *Past due*: running but not active, because the last renewal failed or the paid period has expired. Counted
 *   separately, never as revenue.
 */
export const runningStatuses = ["active", "past_due"] as const;

/** SQL condition: the subscription with table alias `s` is running. */
export const isRunningSql = `s.status in (${runningStatuses.map((status) => `'${status}'`).join(", ")})`;

/** SQL condition: the last renewal of the subscription with table alias `s` failed. */
export const hasFailedRenewalSql = "s.status = 'past_due'";

/** SQL condition: the subscription with table alias `s` is running and will renew. */
export const isRenewingSql = `${isRunningSql} and not s.is_cancelled_at_period_end`;

/** SQL expression: end of the paid period of the subscription with table alias `s`. */
export const paidUntilSql = "coalesce(s.paid_until, s.current_period_ends_at)";

const grace = `interval '${PAYMENT_GRACE_MS / DAY} days'`;

/** Returns the SQL condition that the subscription with table alias `s` is active at the time `now`. */
export const isActiveSql = (now: string) => `s.status = 'active' and ${paidUntilSql} > ${now} - ${grace}`;

/** Returns the SQL condition that the subscription with table alias `s` is past due at the time `now`. */
export const isPastDueSql = (now: string) =>
  `${isRunningSql} and (${hasFailedRenewalSql} or ${paidUntilSql} <= ${now} - ${grace})`;

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
  if (!running) throw conflict("You don't have an active subscription.");
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
