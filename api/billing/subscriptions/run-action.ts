import type { SubscriptionActionValues } from "#schema/staff-money.ts";
import { formatSellerDate } from "#schema/dates.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { assertPaymentsOn } from "#api/platform/payments/payments.ts";
import { waitForResult } from "#api/billing/wait-for-result.ts";
import { finishAction } from "./finish-action.ts";
import { type ActionPlan, planAction } from "./plan-action.ts";
import { SubscriptionAction, SubscriptionActionKind, SubscriptionActionStatus } from "./subscription-action.entity.ts";

const auditActions: Readonly<Record<SubscriptionActionKind, AuditAction>> = {
  RETRY_PAYMENT: "retry-payment",
  CANCEL_NOW: "cancel-subscription",
  CANCEL_AT_PERIOD_END: "cancel-subscription",
  RESUME: "resume-subscription",
  EXTEND_LICENCE: "extend-subscription-licence",
  PAUSE: "pause-subscription",
  END_PAUSE: "end-subscription-pause",
};

/**
 * Runs an action of staff on a customer's subscription, exactly once for each key
 * (docs/domain.md#subscription-actions). If the payment provider doesn't respond, the action stays pending and is
 * finished later; a retry of a payment isn't.
 * @throws AppError as {@link planAction}; CONFLICT if the key belongs to another action; UNPROCESSABLE if card payments
 * are off.
 */
export async function runSubscriptionAction(
  context: Context,
  kind: SubscriptionActionKind,
  values: SubscriptionActionValues,
): Promise<SubscriptionAction> {
  const { action, isNew } = await inTransaction(context, (em) => requestAction(context, em, kind, values));
  const load = () => context.em.fork().findOneOrFail(SubscriptionAction, action.id);
  if (isNew) await finishAction(context, action.id);
  else await waitForResult(async () => (await load()).status !== SubscriptionActionStatus.PENDING);
  return load();
}

async function requestAction(
  context: Context,
  em: EntityManager,
  kind: SubscriptionActionKind,
  values: SubscriptionActionValues,
): Promise<{ action: SubscriptionAction; isNew: boolean }> {
  const known = await findByKey(em, kind, values);
  if (known) return { action: known, isNew: false };
  const request = { subscriptionId: values.subscriptionId, days: values.days, pauseUntil: values.pauseUntil, kind };
  const { user } = await planAction(context, em, request);
  await lockUserLicences(em, user.id);
  await lockRow(em, User, user.id, { refresh: true });
  // Another request may have changed the subscription while this one waited for the lock.
  const knownMeanwhile = await findByKey(em, kind, values);
  if (knownMeanwhile) return { action: knownMeanwhile, isNew: false };
  const plan = await planAction(context, em, request);
  const shown = values.licenceExpiresAt;
  if (shown && shown.getTime() !== plan.subscription.licence.expiresAt.getTime())
    throw conflict("The licence was changed in the meantime. Check its date and try again.");
  return { action: await createAction(context, em, plan, values), isNew: true };
}

/** Returns the action that an earlier request with the same key created. @throws AppError CONFLICT for another action. */
async function findByKey(
  em: EntityManager,
  kind: SubscriptionActionKind,
  { key, subscriptionId }: SubscriptionActionValues,
): Promise<SubscriptionAction | null> {
  const known = await em.findOne(SubscriptionAction, { key }, { refresh: true });
  if (known && (known.kind !== kind || known.subscription.id !== subscriptionId.toLowerCase()))
    throw conflict("This key was used for another action.");
  return known;
}

/** Writes the action and its audit entry. An extension is complete with that; the provider isn't involved. */
async function createAction(
  context: Context,
  em: EntityManager,
  { subscription, user, planName, kind, licenceUntil, pauseUntil }: ActionPlan,
  { key, days, reason }: SubscriptionActionValues,
): Promise<SubscriptionAction> {
  const now = context.clock.now();
  const isLocal = kind === SubscriptionActionKind.EXTEND_LICENCE;
  if (!isLocal) assertPaymentsOn(context.payments);
  const action = em.create(SubscriptionAction, {
    key,
    kind,
    subscription,
    days: isLocal ? (days ?? null) : null,
    pauseUntil,
    reason: reason ?? null,
    status: isLocal ? SubscriptionActionStatus.DONE : SubscriptionActionStatus.PENDING,
    requestedBy: em.getReference(User, getCallerId(context)),
    createdAt: now,
    finishedAt: isLocal ? now : null,
  });
  if (isLocal && licenceUntil) {
    subscription.licenceExtendedUntil = licenceUntil;
    subscription.licence.expiresAt = licenceUntil;
    const licenceId = subscription.licence.id;
    recordLicenceEvent(context, em, { kind: "extend", licenceId });
    await recordLicenceWebhooks(context, em, "licence.changed", [subscription.licence]);
  }
  await recordChange(context, em, {
    action: auditActions[kind],
    ...aboutUser(user),
    after: {
      subscription: planName,
      ...(kind === SubscriptionActionKind.CANCEL_NOW ? { ends: "Now" } : {}),
      ...(kind === SubscriptionActionKind.CANCEL_AT_PERIOD_END ? { ends: "With the period" } : {}),
      ...(isLocal && licenceUntil ? { licenceUntil: formatSellerDate(licenceUntil) } : {}),
      ...(pauseUntil ? { pausedUntil: formatSellerDate(pauseUntil) } : {}),
      ...(reason ? { reason } : {}),
    },
  });
  await em.flush();
  return action;
}
