import type { SubscriptionActionValues } from "#schema/staff-money.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { getCalendarDay } from "#schema/days.ts";
import { formatCount } from "#schema/numbers.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, getRow, inKeyedTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { assertPaymentsOn } from "#api/platform/payments/payments.ts";
import { findPlanName } from "#api/billing/plans/plan.entity.ts";
import { repeatResult } from "#api/billing/request-key.ts";
import { waitForResult } from "#api/billing/wait-for-result.ts";
import { explainNoPause, toPauseEnd } from "./change-subscription.ts";
import { finishAction } from "./finish-action.ts";
import { findFailedAttempt } from "./payment-attempt.entity.ts";
import { getPeriodEnd } from "./payment-rules.ts";
import { SubscriptionAction, SubscriptionActionKind, SubscriptionActionStatus } from "./subscription-action.entity.ts";
import { Subscription } from "./subscription.entity.ts";
import type { SubscriptionActionPreview } from "./subscription.resolver.ts";

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
 * @throws AppError as {@link planAction} and {@link repeatResult}; UNPROCESSABLE if card payments are off.
 */
export async function runSubscriptionAction(
  context: Context,
  kind: SubscriptionActionKind,
  values: SubscriptionActionValues,
): Promise<SubscriptionAction> {
  const { action, isNew } = await inKeyedTransaction(context, (em) => requestAction(context, em, kind, values));
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

const actionNames: Readonly<Record<SubscriptionActionKind, string>> = {
  RETRY_PAYMENT: "a retry of the payment",
  CANCEL_NOW: "a cancellation now",
  CANCEL_AT_PERIOD_END: "a cancellation at the end of the period",
  RESUME: "resuming the subscription",
  EXTEND_LICENCE: "an extension of the licence",
  PAUSE: "a pause",
  END_PAUSE: "ending the pause",
};

/** Returns the action that an earlier request with the same key created. @throws AppError as {@link repeatResult}. */
async function findByKey(
  em: EntityManager,
  kind: SubscriptionActionKind,
  { key, subscriptionId, days, pauseUntil, reason }: SubscriptionActionValues,
): Promise<SubscriptionAction | null> {
  const first = await em.findOne(SubscriptionAction, { key }, { refresh: true });
  if (!first) return null;
  const pauseDay = first.pauseUntil ? getCalendarDay(first.pauseUntil) : undefined;
  const isSame =
    first.kind === kind &&
    first.subscription.id === subscriptionId.toLowerCase() &&
    (kind !== SubscriptionActionKind.EXTEND_LICENCE || first.days === days) &&
    (kind !== SubscriptionActionKind.PAUSE || pauseDay === pauseUntil) &&
    first.reason === (reason ?? null);
  const by = first.days === null ? "" : ` by ${formatCount(first.days, "day")}`;
  const until = first.pauseUntil ? ` until ${formatSellerDate(first.pauseUntil)}` : "";
  return repeatResult(first, isSame, `${actionNames[first.kind]}${by}${until} was requested`);
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

/** Maximum number of days of one extension. */
const MAX_DAYS = 366;

interface ActionRequest {
  readonly subscriptionId: string;
  readonly kind: SubscriptionActionKind;
  /** Required for an extension. */
  readonly days?: number | null | undefined;
  /** Day on which a pause ends, `YYYY-MM-DD`; required for a pause. */
  readonly pauseUntil?: string | null | undefined;
}

/** Effects of an action, calculated before it is done. */
type Effects = Omit<SubscriptionActionPreview, "cardLast4" | "licenceExpiresAt">;
const noEffects: Effects = { amountCents: null, licenceUntil: null, pauseUntil: null, renewsAt: null, endsAt: null };

interface ActionPlan extends Effects {
  readonly subscription: Subscription;
  readonly user: User;
  readonly planName: string;
  readonly kind: SubscriptionActionKind;
}

/**
 * Calculates what an action on a subscription does. The preview and the action itself use it
 * (docs/domain.md#subscription-actions).
 * @throws AppError NOT_FOUND for an unknown subscription; CONFLICT if the subscription doesn't allow the action, or for an
 * archived user unless it cancels; BAD_USER_INPUT for a number of days out of range.
 */
export async function planAction(context: Context, em: EntityManager, request: ActionRequest): Promise<ActionPlan> {
  const { subscriptionId, kind } = request;
  const subscription = await getRow(em, Subscription, subscriptionId, { populate: ["user", "licence"], refresh: true });
  if (subscription.status === "cancelled") throw conflict("This subscription has already ended.");
  if (!subscription.providerSubscriptionId)
    throw conflict("This subscription isn't charged by the payment provider. Change its licence instead.");
  const pending = await query(
    em,
    "select from subscription_actions where subscription_id = $1 and status = 'PENDING' limit 1",
    [subscription.id],
  );
  if (pending.length > 0)
    throw conflict("Another change to this subscription isn't finished yet. Try again in a minute.");
  const { user } = subscription;
  if (!kind.startsWith("CANCEL")) assertNotArchived(user);
  const planName = await findPlanName(em, subscription.planPrice);
  const effects = await planners[kind](context, em, subscription, request);
  return { ...noEffects, ...effects, subscription, user, kind, planName };
}

type Planner = (
  context: Context,
  em: EntityManager,
  subscription: Subscription,
  request: ActionRequest,
) => Promise<Partial<Effects>>;

const planners: Readonly<Record<SubscriptionActionKind, Planner>> = {
  async RETRY_PAYMENT(_context, em, subscription) {
    if (subscription.status !== "past_due") throw conflict("No payment of this subscription is overdue.");
    return { amountCents: (await findFailedAttempt(em, subscription))?.amountCents ?? null };
  },
  async CANCEL_NOW(context, _em, { licence }) {
    const now = context.clock.now();
    return { licenceUntil: licence.expiresAt > now ? now : null, endsAt: now };
  },
  async CANCEL_AT_PERIOD_END(_context, _em, subscription) {
    if (subscription.status === "past_due")
      throw conflict("The paid period of this subscription is over. Cancel it now instead.");
    if (subscription.isCancelledAtPeriodEnd) throw conflict("This subscription is already cancelled.");
    const endsAt = getPeriodEnd(subscription);
    const { licenceExtendedUntil } = subscription;
    const runsLonger = licenceExtendedUntil !== null && licenceExtendedUntil > endsAt;
    return { endsAt, licenceUntil: runsLonger ? licenceExtendedUntil : null };
  },
  async RESUME(_context, _em, subscription) {
    if (!subscription.isCancelledAtPeriodEnd) throw conflict("This subscription isn't cancelled.");
    return { renewsAt: getPeriodEnd(subscription) };
  },
  async EXTEND_LICENCE(context, _em, { licence }, { days = null }) {
    if (days === null || !Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw badInput({ days: [`Enter a number of days from 1 to ${MAX_DAYS}.`] });
    if (licence.revokedAt) throw conflict("This licence is deactivated, so it can't be extended.");
    const now = context.clock.now();
    return { licenceUntil: addMilliseconds(licence.expiresAt > now ? licence.expiresAt : now, days * DAY) };
  },
  async PAUSE(context, _em, subscription, { pauseUntil: day }) {
    const pauseUntil = toPauseEnd(context, day ?? "", "pauseUntil");
    const refusal = explainNoPause(subscription, null);
    if (refusal) throw conflict(refusal);
    const leftMs = Math.max(0, getPeriodEnd(subscription).getTime() - context.clock.now().getTime());
    const renewsAt = subscription.status === "past_due" ? pauseUntil : addMilliseconds(pauseUntil, leftMs);
    return { pauseUntil, renewsAt };
  },
  async END_PAUSE(context, _em, subscription) {
    const { pausedUntil, isCancelledAtPeriodEnd } = subscription;
    if (!pausedUntil) throw conflict("This subscription isn't paused.");
    const leftMs = getPeriodEnd(subscription).getTime() - pausedUntil.getTime();
    const end = addMilliseconds(context.clock.now(), Math.max(0, leftMs));
    return isCancelledAtPeriodEnd ? { endsAt: end } : { renewsAt: end };
  },
};
