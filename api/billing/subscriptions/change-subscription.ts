import { formatSellerDate } from "#schema/dates.ts";
import { explainPauseDay, getStartOfDay } from "#schema/days.ts";
import { getChangeTiming, NOT_ON_SALE } from "#schema/plan-catalogue.ts";
import { addMilliseconds, HOUR, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, conflict } from "#api/platform/errors.ts";
import { CardRefusedError, type ChangePreview } from "#api/platform/payments/payments.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { findPlanPrice, type PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { type GivenReason, recordCancellation, withdrawCancellation } from "./record-subscription-change.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { toSyncedPrice } from "#api/billing/plans/sync-catalogue.ts";
import { syncUser } from "./sync-customer.ts";
import { SubscriptionChange } from "./subscription-changes.entity.ts";
import { getRunningSubscription, Subscription } from "./subscription.entity.ts";

/** Time for which a quoted price is valid, in milliseconds. */
const OFFER_VALID_MS = HOUR;

/** The terms of a plan change for a customer. */
export interface ChangeOffer {
  readonly subscription: Subscription;
  readonly from: PlanPrice;
  readonly to: PlanPrice;
  /** Preview of the charge. Null if the change happens at the next renewal and costs nothing now. */
  readonly preview: ChangePreview | null;
}

/**
 * Quotes the cost of changing the caller's subscription and saves the quote, so the change charges exactly that amount
 * (docs/domain.md#change-plan).
 * @throws AppError CONFLICT if the subscription can't be changed; BAD_USER_INPUT if the plan price isn't available.
 */
export async function offerChange(context: Context, planPriceId: string): Promise<ChangeOffer> {
  const { subscription, from, to, kind } = await validateChange(context, planPriceId);
  // The provider calculates in whole seconds.
  const reckonedAt = new Date(Math.floor(context.clock.now().getTime() / SECOND) * SECOND);
  const change = { subscriptionId: getProviderSubscriptionId(subscription), price: toSyncedPrice(to), at: reckonedAt };
  const preview = kind === "now" ? await context.payments.previewChange(change) : null;
  const em = context.em.fork();
  em.create(SubscriptionChange, {
    subscription: em.getReference(Subscription, subscription.id),
    planPrice: to.id,
    reckonedAt,
    periodCents: getPeriodCents(subscription, to),
    dueCents: preview?.dueCents ?? 0,
  });
  await em.flush();
  return { subscription, from, to, preview };
}

/**
 * Changes the caller's subscription. Upgrades happen now and are charged as quoted by {@link offerChange}; downgrades
 * happen at the next renewal. Idempotent.
 * @throws AppError as {@link offerChange} does; CONFLICT if the price changed since the quote; UNAVAILABLE if the provider
 * is unreachable.
 */
export async function changeSubscription(context: Context, planPriceId: string): Promise<PaymentOutcome> {
  const { subscription, from, to, kind, isDone } = await validateChange(context, planPriceId, { allowDone: true });
  if (isDone) return { state: "done" };
  const subscriptionId = getProviderSubscriptionId(subscription);
  const change = await getValidOffer(context, subscription, to);
  if (!change) return { state: "done" };
  const key = `change-${change.id}`;
  const price = toSyncedPrice(to);
  try {
    if (kind === "now") await context.payments.changePlanNow({ subscriptionId, price, at: change.reckonedAt, key });
    // The current plan isn't scheduled, because its price may be another one by now. The planned change is cancelled.
    else await context.payments.changePlanAtRenewal({ subscriptionId, price: to.id === from.id ? null : price, key });
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    // Delete the quote, because a retry with another card must be a new request to the provider, not an idempotent
    // repeat.
    await context.em.fork().nativeDelete(SubscriptionChange, { id: change.id });
    await restorePlannedChange(context, subscription, key);
    await syncUser(context, subscription.user.id);
    return { state: "declined", message: error.message };
  }
  await context.em.fork().nativeUpdate(SubscriptionChange, { id: change.id }, { doneAt: context.clock.now() });
  await syncUser(context, subscription.user.id);
  return { state: "done" };
}

/** Reschedules the plan or price that the declined upgrade had removed, at its amount. */
async function restorePlannedChange(context: Context, subscription: Subscription, key: string): Promise<void> {
  const { planPrice, nextPlanPrice, nextAmountCents } = subscription;
  if (nextPlanPrice === null && nextAmountCents === null) return;
  const planned = await findPlanPrice(context.em, nextPlanPrice ?? planPrice);
  if (!planned) return;
  const subscriptionId = getProviderSubscriptionId(subscription);
  const price = { ...toSyncedPrice(planned), audCents: nextAmountCents ?? planned.audCents };
  await context.payments.changePlanAtRenewal({ subscriptionId, price, key: `${key}-again` });
}

/**
 * Cancels a plan change scheduled for the next renewal. Does nothing if none is scheduled. A new price of the same plan, which
 * staff announced, stays scheduled.
 * @throws AppError CONFLICT without a running subscription, or with a cancelled one; UNAVAILABLE if the provider is
 * unreachable.
 */
export async function cancelPlannedChange(context: Context): Promise<void> {
  const subscription = await getRunningSubscription(context);
  const subscriptionId = getProviderSubscriptionId(subscription);
  assertNotCancelled(subscription);
  if (!subscription.nextPlanPrice) return;
  await context.payments.changePlanAtRenewal({ subscriptionId, price: null, key: `keep-${subscription.id}` });
  await syncUser(context, subscription.user.id);
}

function assertNotCancelled({ isCancelledAtPeriodEnd }: Subscription): void {
  if (isCancelledAtPeriodEnd) throw conflict("Your subscription is cancelled. Please resume it before you change it.");
}

async function validateChange(context: Context, planPriceId: string, { allowDone = false } = {}) {
  await applyDuePrices(context);
  const subscription = await getRunningSubscription(context);
  const from = await findPlanPrice(context.em, subscription.planPrice);
  const to = await findPlanPrice(context.em, planPriceId);
  // Subscribers keep a plan that went off sale.
  if (!from || !to || !(to.plan.sellable || to.id === from.id)) throw badInput({ planPriceId: [NOT_ON_SALE] });
  const isDone = to.id === (subscription.nextPlanPrice ?? from.id);
  if (isDone && !allowDone) throw badInput({ planPriceId: ["You already have this subscription level."] });
  if (subscription.status === "past_due")
    throw conflict("Your last payment failed. Please update your payment details before you change your subscription.");
  assertNotCancelled(subscription);
  if (subscription.pausedUntil) throw conflict("Your subscription is paused. Please resume it before you change it.");
  const kind = changesAtRenewal(context, subscription)
    ? "renewal"
    : getChangeTiming(toChangeable(from, subscription.amountCents), toChangeable(to));
  return { subscription, from, to, isDone, kind };
}

/**
 * Returns whether every change of plan waits for the next payment, because a pause moved the paid time, for which the provider
 * can't calculate a difference (docs/domain.md#pause).
 */
export function changesAtRenewal({ clock }: Pick<Context, "clock">, { movedUntil }: Subscription): boolean {
  return movedUntil !== null && movedUntil > clock.now();
}

const toChangeable = ({ id, plan, interval, audCents }: PlanPrice, paidCents: number | null = null) => ({
  id,
  productLevel: plan.productLevel,
  interval,
  amountCents: paidCents ?? audCents,
});

/** Returns what a plan price costs a subscriber per period, in cents including GST. */
const getPeriodCents = ({ gstBasisPoints }: Subscription, { audCents }: PlanPrice) => addGst(audCents, gstBasisPoints);

/**
 * Returns the customer's valid quote, or creates one for the current time. Concurrent requests get the same quote, or null if
 * the change is already done.
 * @throws AppError CONFLICT if a new price or another GST is in force since the quote, because the customer would be charged
 * another amount than was shown. Deletes the quote then.
 */
async function getValidOffer(
  context: Context,
  subscription: Subscription,
  to: PlanPrice,
): Promise<SubscriptionChange | null> {
  const open = { subscription: subscription.id, planPrice: to.id, doneAt: null };
  const find = (em: Context["em"], isDone = false) =>
    em.findOne(
      SubscriptionChange,
      {
        ...open,
        doneAt: isDone ? { $ne: null } : null,
        reckonedAt: { $gt: addMilliseconds(context.clock.now(), -OFFER_VALID_MS) },
      },
      { orderBy: { reckonedAt: "desc", id: "desc" } },
    );
  const shown = await find(context.em.fork());
  const periodCents = getPeriodCents(subscription, to);
  if (!shown) await offerChange(context, to.id);
  else if ((shown.periodCents ?? periodCents) !== periodCents) {
    // The provider may have made the change at the shown price, although its response was lost.
    await syncUser(context, subscription.user.id);
    if ((await validateChange(context, to.id, { allowDone: true })).isDone) return null;
    await inTransaction(context, async (em) => {
      await lockRow(em, User, subscription.user.id);
      // The customer may have seen the new price meanwhile.
      await em.nativeDelete(SubscriptionChange, { ...open, reckonedAt: { $lte: shown.reckonedAt } });
    });
    throw conflict("The price has changed since it was shown to you. Please review the new price before you continue.");
  }
  return inTransaction(context, async (em) => {
    await lockRow(em, User, subscription.user.id);
    const offer = await find(em);
    if (!offer && (await find(em, true))) return null;
    if (!offer) throw new AppError("CONFLICT");
    // Delete the other concurrent quotes, so that a later request can't find a stale one.
    await em.nativeDelete(SubscriptionChange, { subscription: subscription.id, doneAt: null, id: { $ne: offer.id } });
    return offer;
  });
}

/** Returns the provider's id of a subscription. @throws AppError CONFLICT if it predates the payment provider. */
export function getProviderSubscriptionId(subscription: Subscription): string {
  if (subscription.providerSubscriptionId) return subscription.providerSubscriptionId;
  throw conflict("Please contact us to change this subscription.");
}

/**
 * Cancels the caller's subscription at the end of its period, or resumes it before then. Ends it immediately if its
 * last renewal failed. Idempotent.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE if the provider is unreachable.
 */
export async function setSubscriptionCancelled(
  context: Context,
  isCancelled: boolean,
  given: GivenReason = { reason: null, comment: null },
): Promise<void> {
  let subscription = await getRunningSubscription(context);
  const id = getProviderSubscriptionId(subscription);
  if (isCancelled && subscription.status === "past_due") {
    // The provider may have charged the overdue payment in the meantime.
    await syncUser(context, subscription.user.id);
    subscription = await getRunningSubscription(context);
  }
  try {
    // The paid period has already ended, so end the subscription now and charge nothing more.
    if (isCancelled && subscription.status === "past_due") await context.payments.cancelNow(id);
    else await context.payments.setCancelAtPeriodEnd(id, isCancelled);
    if (isCancelled) await recordCancellation(context, subscription.id, given);
    else await withdrawCancellation(context, subscription.id);
  } catch (error) {
    // The provider refuses to resume a subscription that has ended, of which we may not know yet.
    if (error instanceof AppError && error.code === "CONFLICT") await syncUser(context, subscription.user.id);
    throw error;
  }
  await syncUser(context, subscription.user.id);
}

/**
 * Returns the time at which a pause until a day, `YYYY-MM-DD` in the vendor's time zone, ends: the start of that day.
 * @throws AppError BAD_USER_INPUT unless the day is tomorrow or later, and at most 3 months ahead.
 */
export function toPauseEnd({ clock }: Pick<Context, "clock">, day: string, field = "until"): Date {
  const refusal = explainPauseDay(day, clock.now());
  if (refusal) throw badInput({ [field]: [refusal] });
  return getStartOfDay(day);
}

/**
 * Returns why a subscription can't be paused until a time, in words; null if it can, or if it already is
 * (docs/domain.md#pause). An overdue payment isn't a reason, because staff may pause then.
 */
export function explainNoPause(subscription: Subscription, until: Date | null): string | null {
  const { pausedUntil, isCancelledAtPeriodEnd, nextPlanPrice, disputedAt } = subscription;
  if (pausedUntil && pausedUntil.getTime() === until?.getTime()) return null;
  if (pausedUntil)
    return `This subscription is already paused until ${formatSellerDate(pausedUntil)}. Resume it first.`;
  if (isCancelledAtPeriodEnd) return "This subscription is cancelled. Resume it before you pause it.";
  if (nextPlanPrice)
    return "A change of plan is scheduled for the next payment. Keep the current plan before you pause.";
  return disputedAt ? "A payment for this subscription is disputed, so it can't be paused." : null;
}

/**
 * Pauses the caller's subscription until a day. The licence is suspended and nothing is charged until then. Idempotent.
 * @throws AppError BAD_USER_INPUT as {@link toPauseEnd}; CONFLICT without a running subscription, or if it can't be
 * paused; UNAVAILABLE if the provider is unreachable.
 */
export async function pauseSubscription(context: Context, day: string): Promise<void> {
  const subscription = await getRunningSubscription(context);
  const subscriptionId = getProviderSubscriptionId(subscription);
  const until = toPauseEnd(context, day);
  if (subscription.status === "past_due")
    throw conflict("Your last payment failed. Please update your payment details before you pause your subscription.");
  const refusal = explainNoPause(subscription, until);
  if (refusal) throw conflict(refusal);
  const now = context.clock.now();
  const isPaused = await context.payments.pauseSubscription({ subscriptionId, until, now, voidsUnpaid: false });
  await syncUser(context, subscription.user.id);
  if (!isPaused) throw conflict("A payment for your subscription isn't complete yet. Please try again in an hour.");
}

/**
 * Ends the pause of the caller's subscription before its time. Idempotent.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE if the provider is unreachable.
 */
export async function endSubscriptionPause(context: Context): Promise<void> {
  const subscription = await getRunningSubscription(context);
  const subscriptionId = getProviderSubscriptionId(subscription);
  await context.payments.endPause({ subscriptionId, now: context.clock.now() });
  await syncUser(context, subscription.user.id);
}
