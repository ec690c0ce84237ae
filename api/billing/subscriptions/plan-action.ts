import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { findPlanName } from "#api/billing/plans/find-plan-price.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { explainNoPause, toPauseEnd } from "#api/billing/subscriptions/pause-subscription.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { SubscriptionActionKind } from "./subscription-action.entity.ts";

/** Maximum number of days of one extension. */
const MAX_DAYS = 366;

export interface ActionRequest {
  readonly subscriptionId: string;
  readonly kind: SubscriptionActionKind;
  /** Required for an extension. */
  readonly days?: number | null | undefined;
  /** Day on which a pause ends, `YYYY-MM-DD`; required for a pause. */
  readonly pauseUntil?: string | null | undefined;
}

/** Effects of an action, calculated before it is done. */
export interface ActionPlan {
  readonly subscription: Subscription;
  readonly user: User;
  readonly planName: string;
  readonly kind: SubscriptionActionKind;
  /** New expiry date of the licence; null if the action doesn't set one. */
  readonly licenceUntil: Date | null;
  /** Time at which the pause ends; only for a pause. */
  readonly pauseUntil?: Date;
  readonly effects: readonly string[];
}

const refuse = (message: string) => new AppError("CONFLICT", { message });

/**
 * Calculates what an action on a subscription does. The preview and the action itself use it
 * (docs/domain.md#subscription-actions).
 * @throws AppError NOT_FOUND for an unknown subscription; CONFLICT if the subscription doesn't allow the action;
 * BAD_USER_INPUT for a number of days out of range.
 */
export async function planAction(context: Context, em: EntityManager, request: ActionRequest): Promise<ActionPlan> {
  const { subscriptionId, kind } = request;
  const subscription = isUuid(subscriptionId)
    ? await em.findOne(Subscription, subscriptionId, { populate: ["user", "licence"], refresh: true })
    : null;
  if (!subscription) throw notFound();
  if (subscription.status === "cancelled") throw refuse("This subscription has already ended.");
  if (!subscription.providerSubscriptionId)
    throw refuse("This subscription isn't charged by the payment provider. Change its licence instead.");
  const pending = await query(
    em,
    "select from subscription_actions where subscription_id = $1 and status = 'PENDING' limit 1",
    [subscription.id],
  );
  if (pending.length > 0)
    throw refuse("Another change to this subscription isn't finished yet. Try again in a minute.");
  const { user } = subscription;
  const base = { subscription, user, kind, planName: await findPlanName(em, subscription.planPrice) };
  return { ...base, ...(await planners[kind](context, em, subscription, request)) };
}

type Planner = (
  context: Context,
  em: EntityManager,
  subscription: Subscription,
  request: ActionRequest,
) => Promise<Pick<ActionPlan, "licenceUntil" | "pauseUntil" | "effects">>;

const planners: Readonly<Record<SubscriptionActionKind, Planner>> = {
  async RETRY_PAYMENT(_context, em, subscription) {
    if (subscription.status !== "past_due") throw refuse("No payment of this subscription is overdue.");
    const attempt = await em.findOne(
      PaymentAttempt,
      { subscription: subscription.id },
      { orderBy: { at: "desc", id: "desc" } },
    );
    const amount = attempt ? formatAud(attempt.amountCents) : "The overdue amount";
    return {
      licenceUntil: null,
      effects: [
        `${amount} is charged to the card${subscription.cardLast4 ? ` ending ${subscription.cardLast4}` : ""} now.`,
        "If the bank accepts it, the licence continues and the customer receives a tax invoice.",
        "If the bank declines it, nothing is charged, and the planned retries stay.",
      ],
    };
  },
  async CANCEL_NOW(context, _em, { licence }) {
    const now = context.clock.now();
    return {
      licenceUntil: licence.expiresAt > now ? now : null,
      effects: [
        "The subscription ends now, and the card isn't charged again. An overdue payment is no longer due.",
        "The licence ends now, on all devices.",
        "Nothing is refunded. To return money, refund the payment.",
      ],
    };
  },
  async CANCEL_AT_PERIOD_END(_context, _em, subscription) {
    if (subscription.status === "past_due")
      throw refuse("The paid period of this subscription is over. Cancel it now instead.");
    if (subscription.isCancelledAtPeriodEnd) throw refuse("This subscription is already cancelled.");
    const end = formatEnd(subscription);
    return {
      licenceUntil: null,
      effects: [
        `The subscription and the licence run until ${end}. The card isn't charged again.`,
        "Nothing is refunded. The subscription can be resumed until then.",
        "The customer receives an email.",
      ],
    };
  },
  async RESUME(_context, _em, subscription) {
    if (!subscription.isCancelledAtPeriodEnd) throw refuse("This subscription isn't cancelled.");
    if (subscription.user.archivedAt) throw refuse("This user is archived. Restore the user first.");
    const end = formatEnd(subscription);
    return {
      licenceUntil: null,
      effects: [`The subscription renews on ${end}, and the card is charged then.`, "Nothing is charged now."],
    };
  },
  async EXTEND_LICENCE(context, _em, { licence }, { days = null }) {
    if (days === null || !Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw badInput({ days: [`Enter a number of days from 1 to ${MAX_DAYS}.`] });
    if (licence.revokedAt) throw refuse("This licence is deactivated, so it can't be extended.");
    const now = context.clock.now();
    const until = addMilliseconds(licence.expiresAt > now ? licence.expiresAt : now, days * DAY);
    const [newEnd, oldEnd] = [until, licence.expiresAt].map((date) => formatSellerDate(date));
    return {
      licenceUntil: until,
      effects: [
        `The licence runs until ${newEnd} instead of ${oldEnd}, whether or not it is paid.`,
        "Nothing is charged, and the dates of the next payments stay the same.",
      ],
    };
  },
  async PAUSE(context, _em, subscription, { pauseUntil }) {
    return planPause(context, subscription, pauseUntil);
  },
  async END_PAUSE(context, _em, subscription) {
    const { pausedUntil, paidUntil, currentPeriodEndsAt, isCancelledAtPeriodEnd } = subscription;
    if (!pausedUntil) throw refuse("This subscription isn't paused.");
    if (subscription.user.archivedAt) throw refuse("This user is archived. Restore the user first.");
    const leftMs = (paidUntil ?? currentPeriodEndsAt).getTime() - pausedUntil.getTime();
    const end = formatSellerDate(addMilliseconds(context.clock.now(), Math.max(0, leftMs)));
    return {
      licenceUntil: null,
      effects: [
        "The licence is valid again now.",
        isCancelledAtPeriodEnd
          ? `The subscription is cancelled and ends on ${end}.`
          : `The subscription renews on ${end}, and the card is charged then.`,
        "The customer receives an email.",
      ],
    };
  },
};

function planPause(context: Context, subscription: Subscription, day: string | null | undefined) {
  const { status, paidUntil, currentPeriodEndsAt, user } = subscription;
  if (user.archivedAt) throw refuse("This user is archived. Restore the user first.");
  if (!day) throw badInput({ pauseUntil: ["Choose a date."] });
  const until = toPauseEnd(context, day, "pauseUntil");
  const refusal = explainNoPause(subscription, null);
  if (refusal) throw refuse(refusal);
  const isOverdue = status === "past_due";
  const leftMs = Math.max(0, (paidUntil ?? currentPeriodEndsAt).getTime() - context.clock.now().getTime());
  const next = isOverdue ? until : addMilliseconds(until, leftMs);
  return {
    licenceUntil: null,
    pauseUntil: until,
    effects: [
      `The licence can't be used until ${formatSellerDate(until)}. It is valid again from then on.`,
      isOverdue
        ? "The overdue payment is cancelled and not retried."
        : "The paid time that is left continues after the pause.",
      `Nothing is charged until ${formatSellerDate(next)}, when the next payment is due.`,
      "The customer receives an email and can resume earlier.",
    ],
  };
}

function formatEnd({ paidUntil, currentPeriodEndsAt }: Subscription): string {
  return formatSellerDate(paidUntil ?? currentPeriodEndsAt);
}
