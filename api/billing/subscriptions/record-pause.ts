import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { subscriptionPaused } from "#api/messaging/emails/templates/subscription-paused.tsx";
import { subscriptionUnpaused } from "#api/messaging/emails/templates/subscription-unpaused.tsx";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { findPlanName } from "#api/billing/plans/plan.entity.ts";
import { moveServicePeriods } from "#api/billing/revenue/service-periods.ts";
import { findNextPaymentCents, requeueMove } from "./next-charge.ts";
import {
  findSubscriptionChanges,
  recordSubscriptionChange,
  takeSubscriptionSnapshot,
} from "./record-subscription-change.ts";
import { SubscriptionPause } from "./subscription-changes.entity.ts";
import { getPeriodEnd } from "./payment-rules.ts";
import { Subscription } from "./subscription.entity.ts";
import { suspendLicence } from "./apply-to-licence.ts";

/** Maximum number of pauses per batch of the sweep. */
const BATCH_SIZE = 50;

/** Returns the time at which a pause ends; null if the subscription isn't paused any more. */
export function getPauseEnd({ clock }: Context, { status, pausedUntil }: ProviderSubscription): Date | null {
  return status !== "ended" && pausedUntil && pausedUntil > clock.now() ? pausedUntil : null;
}

/** Saves the start or the end of a pause for the timeline and emails the customer, in the transaction of `em`. */
export async function recordPause(
  context: Context,
  em: EntityManager,
  user: User,
  subscription: Subscription,
  before: Readonly<Pick<Subscription, "status" | "pausedUntil">>,
): Promise<void> {
  const { pausedUntil: until } = subscription;
  if (until?.getTime() === before.pausedUntil?.getTime()) return;
  const now = context.clock.now();
  const running = await em.findOne(SubscriptionPause, { subscription: subscription.id, endedAt: null });
  // The provider ended it on time, also if this process was down then.
  if (running) running.endedAt = running.until < now ? running.until : now;
  await em.flush();
  const pause = until ? em.create(SubscriptionPause, { subscription, pausedAt: now, until }) : running;
  await em.flush();
  if (until) await requeueMove(em, subscription, now);
  if (!pause || user.archivedAt || subscription.status === "cancelled") return;
  const plan = await findPlanName(em, subscription.planPrice);
  const { isCancelledAtPeriodEnd: isEnding } = subscription;
  const nextCents = await findNextPaymentCents(em, user.id, subscription);
  const data = { plan, paidUntil: getPeriodEnd(subscription), nextCents, isEnding };
  if (until)
    await emailUserOnce(context, em, user, `subscription-paused:${pause.id}`, subscriptionPaused, {
      ...data,
      until,
      wasOverdue: before.status === "past_due",
    });
  else
    await emailUserOnce(context, em, user, `subscription-unpaused:${pause.id}`, subscriptionUnpaused, {
      ...data,
      isDisputed: subscription.disputedAt !== null,
    });
}

/**
 * Ends the pauses whose time has come, so that licences are valid again even if no notice of the provider arrives. The
 * provider ends its side of a pause at the same time.
 */
export const endDuePauses: Sweep = {
  name: "end-pauses",
  everySeconds: 20,
  async run(context) {
    const now = context.clock.now();
    const readBatch = (afterId: string | null) =>
      query<{ id: string; userId: string }>(
        context.em,
        `select id, user_id as "userId" from subscriptions
          where paused_until <= $1 and ($2::uuid is null or id > $2) order by id limit ${BATCH_SIZE}`,
        [now, afterId],
      );
    return finishAll(context, readBatch, ({ id, userId }) => endPause(context, id, userId));
  },
};

async function endPause(context: Context, subscriptionId: string, userId: string): Promise<boolean> {
  return inTransaction(context, async (em) => {
    await lockUserLicences(em, userId);
    const user = await lockRow(em, User, userId, { refresh: true });
    const subscription = await em.findOneOrFail(Subscription, subscriptionId, { populate: ["licence"], refresh: true });
    // A sync may have ended or changed the pause in the meantime.
    if (!subscription.pausedUntil || subscription.pausedUntil > context.clock.now()) return false;
    const before = takeSubscriptionSnapshot(subscription);
    subscription.pausedUntil = null;
    await suspendLicence(context, em, user, subscription, { wasSuspended: true });
    await em.flush();
    await recordPause(context, em, user, subscription, before);
    await moveServicePeriods(em, subscription.id);
    await recordSubscriptionChange(context, em, subscription, findSubscriptionChanges(before, subscription));
    return true;
  });
}
