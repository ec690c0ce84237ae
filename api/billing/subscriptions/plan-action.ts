import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { findPlanName } from "#api/billing/plans/plan.entity.ts";
import { findFailedAttempt } from "./payment-attempt.entity.ts";
import { explainNoPause, toPauseEnd } from "#api/billing/subscriptions/pause-subscription.ts";
import { getPeriodEnd } from "#api/billing/subscriptions/payment-rules.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { SubscriptionActionKind } from "./subscription-action.entity.ts";
import type { SubscriptionActionPreview } from "./subscription.resolver.ts";

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

export interface ActionPlan extends Effects {
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
    return { endsAt: getPeriodEnd(subscription) };
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
