import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { CardRefusedError } from "#api/platform/payments/payments.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { findFailedAttempt } from "./payment-attempt.entity.ts";
import { isUnpaid } from "./payment-rules.ts";
import { withdrawCancellation } from "./record-subscription-change.ts";
import { findPaymentCustomer, syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { SubscriptionAction, SubscriptionActionKind, SubscriptionActionStatus } from "./subscription-action.entity.ts";

/**
 * Time after which the sweep finishes an action whose request was interrupted. A slow retry of a payment makes four calls of
 * at most 20 seconds up to the charge. One that was given up before could still be charged.
 */
const RESUME_AFTER_MS = 85 * SECOND;
const BATCH_SIZE = 50;

/** Outcome of an action at the payment provider. */
type Outcome = Pick<SubscriptionAction, "status" | "message">;
const done: Outcome = { status: SubscriptionActionStatus.DONE, message: null };

/**
 * Sends a pending action to the payment provider and saves the result. Every step can be repeated, so it continues where
 * an interrupted one stopped. Leaves the action pending if the provider is unreachable.
 */
export async function finishAction(
  context: Context,
  actionId: string,
  { isResumed = false }: { isResumed?: boolean } = {},
): Promise<void> {
  const em = context.em.fork();
  const action = await em.findOneOrFail(SubscriptionAction, actionId, {
    populate: ["subscription.licence"],
    refresh: true,
  });
  const { subscription } = action;
  const customerId = await findPaymentCustomer({ em }, subscription.user.id);
  const providerId = subscription.providerSubscriptionId;
  if (action.status !== SubscriptionActionStatus.PENDING || !customerId || !providerId) return;
  try {
    const outcome = await runAtProvider(context, action, customerId, providerId, isResumed).catch((error: unknown) =>
      toRefusal(context, customerId, error),
    );
    await inTransaction(context, async (tx) => {
      if (action.kind === SubscriptionActionKind.CANCEL_NOW) await endLicence(context, tx, action);
      await query(
        tx,
        `update subscription_actions set status = $2, message = $3, finished_at = $4
          where id = $1 and status = 'PENDING'`,
        [actionId, outcome.status, outcome.message, context.clock.now()],
      );
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") throw error;
    context.log.warn({ err: error, actionId }, "could not finish an action on a subscription yet; it will be retried");
  }
}

/** Returns the outcome if the subscription has ended in the meantime, so that the action isn't retried for ever. */
async function toRefusal(context: Context, customerId: string, error: unknown): Promise<Outcome> {
  if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
  await syncCustomer(context, customerId);
  return { status: SubscriptionActionStatus.FAILED, message: error.message };
}

async function runAtProvider(
  context: Context,
  action: SubscriptionAction,
  customerId: string,
  providerId: string,
  isResumed: boolean,
): Promise<Outcome> {
  const { payments } = context;
  const { kind, subscription, pauseUntil } = action;
  if (kind === SubscriptionActionKind.RETRY_PAYMENT)
    return retryPayment(context, action, customerId, providerId, isResumed);
  if (kind === SubscriptionActionKind.CANCEL_NOW) await payments.cancelNow(providerId);
  if (kind === SubscriptionActionKind.CANCEL_AT_PERIOD_END) await payments.setCancelAtPeriodEnd(providerId, true);
  if (kind === SubscriptionActionKind.RESUME) {
    await payments.setCancelAtPeriodEnd(providerId, false);
    await withdrawCancellation(context, subscription.id);
  }
  const now = context.clock.now();
  if (kind === SubscriptionActionKind.END_PAUSE) await payments.endPause({ subscriptionId: providerId, now });
  if (kind === SubscriptionActionKind.PAUSE && pauseUntil && pauseUntil > now) {
    const pause = { subscriptionId: providerId, until: pauseUntil, now, voidsUnpaid: true };
    if (!(await payments.pauseSubscription(pause))) {
      await syncCustomer(context, customerId);
      return {
        status: SubscriptionActionStatus.FAILED,
        message: "A payment isn't complete yet. Try again in an hour.",
      };
    }
  }
  await syncCustomer(context, customerId);
  return done;
}

/**
 * Charges the card for the open invoice. A repeated call with the same action doesn't charge again.
 * @param isResumed true after an interruption. The card isn't charged then, because staff aren't waiting for it any more
 */
async function retryPayment(
  context: Context,
  { id: actionId, subscription }: SubscriptionAction,
  customerId: string,
  providerId: string,
  isResumed: boolean,
): Promise<Outcome> {
  const { payments } = context;
  const found = (await payments.listSubscriptions(customerId)).find(({ id }) => id === providerId);
  const open = found?.invoices.find(isUnpaid);
  if (!open || isResumed) {
    await syncCustomer(context, customerId);
    return open ? { status: SubscriptionActionStatus.FAILED, message: "The retry was interrupted." } : done;
  }
  try {
    await payments.payInvoice(open.id, `retry-${actionId}`);
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    await syncCustomer(context, customerId);
    const failed = await findFailedAttempt(context.em.fork(), subscription);
    const message = `The bank declined the payment. ${failed?.reason ?? "It gave no reason"}.`;
    return { status: SubscriptionActionStatus.FAILED, message };
  }
  await syncCustomer(context, customerId);
  return done;
}

/** Ends the licence of a subscription that staff cancelled now, unless another process has finished the action. */
async function endLicence(
  context: Context,
  em: EntityManager,
  { id, subscription: { user, licence } }: SubscriptionAction,
): Promise<void> {
  await lockUserLicences(em, user.id);
  // Staff may have extended the licence since the other process ended it.
  if ((await em.count(SubscriptionAction, { id, status: SubscriptionActionStatus.PENDING })) === 0) return;
  const current = await lockRow(em, Licence, licence.id, { refresh: true });
  const now = context.clock.now();
  if (current.expiresAt <= now) return;
  current.expiresAt = now;
  recordLicenceEvent(context, em, { kind: "shorten", licenceId: licence.id });
  await recordLicenceWebhooks(context, em, "licence.changed", [current]);
}

/** Finishes actions on subscriptions whose request was interrupted, for example because the process stopped. */
export const finishActions: Sweep = {
  name: "finish-subscription-actions",
  everySeconds: 20,
  async run(context) {
    const createdBefore = addMilliseconds(context.clock.now(), -RESUME_AFTER_MS);
    const readBatch = (afterId: string | null) =>
      query<{ id: string }>(
        context.em,
        `select id from subscription_actions
          where status = 'PENDING' and created_at < $1 and ($2::uuid is null or id > $2)
          order by id limit ${BATCH_SIZE}`,
        [createdBefore, afterId],
      );
    return finishAll(context, readBatch, async ({ id }) => {
      await finishAction(context, id, { isResumed: true });
      return (
        (await context.em.fork().findOneOrFail(SubscriptionAction, id)).status !== SubscriptionActionStatus.PENDING
      );
    });
  },
};
