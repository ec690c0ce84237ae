import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { createLoader } from "#api/platform/loaders.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { planNameOf } from "#api/selling/plans/find-plan-price.ts";
import { Subscription } from "./subscription.entity.ts";
import { runningStatuses } from "./subscription-states.ts";
import { syncPayments } from "./sync-customer.ts";

/** Longest wait for the payment provider before an archive request answers that the cancellation is pending. */
const ANSWER_WITHIN_MS = 8 * SECOND;

/** Another process may be applying a newer reading at the same moment; then the result is looked up this often. */
const MOST_TRIES = 3;
const BETWEEN_TRIES_MS = 200;

/** Accounts that one part of the sweep retries. */
const AT_ONCE = 50;

/**
 * Marks an account's subscriptions as to be cancelled at the payment provider and queues the job that does it, in the
 * transaction of `em`. Call {@link cancelAtProvider} after the commit to try it before answering.
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

/** Drops a cancellation that the provider has not confirmed yet, because the account is open again. */
export async function withdrawCancellation(em: EntityManager, userId: string): Promise<void> {
  await query(em, "update subscriptions set cancellation_pending_since = null where user_id = $1", [userId]);
}

/** Emails a subscriber that their account was closed and that they won't be charged again, in the transaction of `em`. */
export async function announceClosedAccount(context: Context, em: EntityManager, user: User): Promise<void> {
  const subscription = await em.findOne(Subscription, { user: user.id, status: { $in: [...runningStatuses] } });
  if (!subscription) return;
  const at = context.clock.now();
  await sendMail(context, em, {
    template: "account-closed",
    to: user.email,
    data: { firstName: user.firstName, plan: await planNameOf(em, subscription.planPrice), at },
    dedupeKey: `account-closed:${user.id}:${at.toISOString()}`,
  });
}

/**
 * Cancels what {@link requestCancellation} marked, waiting a few seconds for the payment provider. A provider that is
 * away is not an error: the job and {@link retryPendingCancellations} try again until it confirms.
 * @returns since when the cancellation is pending; null once the provider confirmed it.
 */
export async function cancelAtProvider(context: Context, userId: string): Promise<Date | null> {
  if (!(await pendingSince(context, userId))) return null;
  const work = cancel(context, userId).catch((error: unknown) =>
    context.log.warn({ err: error, userId }, "a subscription could not be cancelled yet, to be tried again"),
  );
  await Promise.race([work, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  return pendingSince(context, userId);
}

async function cancel(context: Context, userId: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (tries > 0) await sleep(BETWEEN_TRIES_MS);
    await syncPayments(context, { userId });
    if (!(await pendingSince(context, userId))) return;
  }
}

async function pendingSince({ pool }: Context, userId: string): Promise<Date | null> {
  const { rows } = await pool.query<{ since: string | Date | null }>(
    "select min(cancellation_pending_since) as since from subscriptions where user_id = $1",
    [userId],
  );
  const since = rows[0]?.since;
  return since ? new Date(since) : null;
}

/** Retries cancellations and refunds of archived accounts that the payment provider has not confirmed. */
export const retryPendingCancellations: DueWork = {
  name: "retry-pending-cancellations",
  everySeconds: 60,
  async run(context) {
    const waiting = await query<{ userId: string }>(
      context.em,
      `select user_id as "userId" from subscriptions where cancellation_pending_since is not null
        group by user_id order by min(cancellation_pending_since) limit ${AT_ONCE}`,
      [],
    );
    let settled = 0;
    for (const { userId } of waiting) {
      try {
        await syncPayments(context, { userId });
        if (!(await pendingSince(context, userId))) settled++;
      } catch (error) {
        // The other accounts would wait for the provider just as long.
        if (error instanceof AppError && error.code === "UNAVAILABLE") return settled;
        // One account that fails must not keep the others waiting.
        context.log.error({ err: error, userId }, "a subscription of an archived account could not be cancelled");
      }
    }
    return settled;
  },
};

/** Returns since when a user's subscription waits to be cancelled at the payment provider; null when none does. */
export const cancellationPendingSince = createLoader(
  async ({ em }: Pick<Context, "em">, userIds: readonly string[]): Promise<(Date | null)[]> => {
    const found = await em.find(
      Subscription,
      { user: { $in: [...userIds] }, cancellationPendingSince: { $ne: null } },
      { orderBy: { cancellationPendingSince: "asc" }, refresh: true },
    );
    return userIds.map((id) => found.find(({ user }) => user.id === id)?.cancellationPendingSince ?? null);
  },
);

/** Ids of a user's licences that are suspended because a payment is disputed (docs/domain.md#licence-follows-payment), in the transaction of `em`. */
export async function disputedLicencesOf(em: EntityManager, userId: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ licenceId: string }>(
    em,
    `select licence_id as "licenceId" from subscriptions where user_id = $1 and disputed_at is not null`,
    [userId],
  );
  return new Set(rows.map(({ licenceId }) => licenceId));
}
