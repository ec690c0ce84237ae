import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { accountClosed } from "#api/messaging/emails/templates/account-closed.tsx";
import { findPlanName } from "#api/billing/plans/plan.entity.ts";
import { isRunning, Subscription } from "./subscription.entity.ts";
import { syncPayments } from "./sync-customer.ts";

/**
 * Maximum time a request to archive an account waits for the payment provider before it reports the cancellation as
 * pending, in milliseconds.
 */
const MAX_WAIT_MS = 8 * SECOND;

/**
 * Maximum number of syncs per cancellation. More than one may be needed if another process applies a newer reading at
 * the same time.
 */
const MAX_TRIES = 3;
const RETRY_DELAY_MS = 200;

/** Maximum number of accounts per batch of the sweep. */
const BATCH_SIZE = 50;

/**
 * Marks an account's subscriptions for cancellation at the payment provider and queues a job that cancels them, in the
 * transaction of `em`. Call {@link cancelAtProvider} after the commit to cancel before responding.
 */
export async function requestCancellation(context: Context, em: EntityManager, user: User): Promise<void> {
  await query(
    em,
    `update subscriptions set cancellation_pending_since = coalesce(cancellation_pending_since, $2)
      where user_id = $1 and provider_subscription_id is not null
        and (status = 'past_due' or (status = 'active' and not is_cancelled_at_period_end))`,
    [user.id, context.clock.now()],
  );
  await context.jobs.add(em, "sync-payments", { userId: user.id });
}

/** Clears a cancellation that the provider hasn't confirmed, because the account was reopened. */
export async function withdrawCancellation(em: EntityManager, userId: string): Promise<void> {
  await query(em, "update subscriptions set cancellation_pending_since = null where user_id = $1", [userId]);
}

/** Emails a subscriber that their account was closed and that they won't be charged again, in the transaction of `em`. */
export async function emailAccountClosed(context: Context, em: EntityManager, user: User): Promise<void> {
  const subscription = await em.findOne(Subscription, { user: user.id, ...isRunning });
  if (!subscription) return;
  const at = context.clock.now();
  await emailUserOnce(context, em, user, `account-closed:${user.id}:${at.toISOString()}`, accountClosed, {
    plan: await findPlanName(em, subscription.planPrice),
    at,
  });
}

/**
 * Cancels the subscriptions marked by {@link requestCancellation}, waiting a few seconds for the payment provider. An
 * unreachable provider isn't an error, because the job and {@link retryPendingCancellations} retry until the provider
 * confirms.
 * @returns the time since which the cancellation has been pending; null once the provider has confirmed it.
 */
export async function cancelAtProvider(context: Context, userId: string): Promise<Date | null> {
  if (!(await getCancellationPendingSince(context, userId))) return null;
  const work = cancel(context, userId).catch((error: unknown) =>
    context.log.warn({ err: error, userId }, "could not cancel a subscription yet; it will be retried"),
  );
  await Promise.race([work, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  return getCancellationPendingSince(context, userId);
}

async function cancel(context: Context, userId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await sleep(RETRY_DELAY_MS);
    await syncPayments(context, { userId });
    if (!(await getCancellationPendingSince(context, userId))) return;
  }
}

/** Retries cancellations and refunds of archived accounts that the payment provider hasn't confirmed. */
export const retryPendingCancellations: Sweep = {
  name: "retry-pending-cancellations",
  everySeconds: 60,
  async run(context) {
    const readBatch = (afterId: string | null) =>
      query<{ id: string }>(
        context.em,
        `select distinct user_id as id from subscriptions
          where cancellation_pending_since is not null and ($1::uuid is null or user_id > $1)
          order by user_id limit ${BATCH_SIZE}`,
        [afterId],
      );
    return finishAll(context, readBatch, async ({ id }) => {
      await syncPayments(context, { userId: id });
      return !(await getCancellationPendingSince(context, id));
    });
  },
};

/**
 * Returns the time since which a user's subscription has been waiting to be cancelled at the payment provider, or null.
 */
export const getCancellationPendingSince = createLoader(
  async ({ em }: Pick<Context, "em">, userIds: readonly string[]): Promise<(Date | null)[]> => {
    const rows = await query<{ userId: string; since: string }>(
      em,
      `select user_id as "userId", min(cancellation_pending_since) as since from subscriptions
        where user_id = any($1::uuid[]) and cancellation_pending_since is not null group by 1`,
      [[...userIds]],
    );
    const times = new Map(rows.map(({ userId, since }) => [userId, new Date(since)]));
    return userIds.map((id) => times.get(id) ?? null);
  },
);

/**
 * Returns the ids of a user's licences suspended because of a disputed payment or a pause
 * (docs/domain.md#licence-follows-payment), in the transaction of `em`.
 */
export async function findSuspendedLicenceIds(em: EntityManager, userId: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ licenceId: string }>(
    em,
    `select licence_id as "licenceId" from subscriptions where user_id = $1 and (disputed_at is not null or paused_until is not null)`,
    [userId],
  );
  return new Set(rows.map(({ licenceId }) => licenceId));
}
