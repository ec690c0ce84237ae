import { LockMode } from "@mikro-orm/core";
import { after, HOUR, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { CardRefused, type ChangePreview } from "#api/platform/payments/payments.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { findRunningSubscription } from "./active-subscription.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { syncCustomer, syncedPrice } from "./sync-customer.ts";
import { SubscriptionChange } from "./subscription-change.entity.ts";
import type { Subscription } from "./subscription.entity.ts";

/** How long a price that was told stands. */
const OFFER_STANDS_MS = HOUR;

/** What a change of plan means for the customer. */
export interface ChangeOffer {
  readonly subscription: Subscription;
  readonly from: PlanPrice;
  readonly to: PlanPrice;
  /** Null when the change comes with the next renewal and costs nothing now. */
  readonly preview: ChangePreview | null;
}

/**
 * Says what changing the signed-in customer's subscription would cost, and remembers it, so that carrying it out
 * charges just that (docs/domain.md#change-plan).
 * @throws AppError CONFLICT when nothing can be changed, BAD_USER_INPUT for a plan price that cannot be had.
 */
export async function offerChange(context: Context, planPriceId: string): Promise<ChangeOffer> {
  const { subscription, from, to, kind } = await wanted(context, planPriceId);
  // The provider reckons in whole seconds.
  const reckonedAt = new Date(Math.floor(context.clock.now().getTime() / SECOND) * SECOND);
  const asked = { subscriptionId: providerIdOf(subscription), price: syncedPrice(to), at: reckonedAt };
  const preview = kind === "now" ? await context.payments.previewChange(asked) : null;
  const em = context.em.fork();
  em.create(SubscriptionChange, {
    subscription: em.getReference(subscription.constructor as typeof Subscription, subscription.id),
    planPrice: to.id,
    reckonedAt,
    dueCents: preview?.dueCents ?? 0,
  });
  await em.flush();
  return { subscription, from, to, preview };
}

/**
 * Changes the signed-in customer's subscription: up now, charged as {@link offerChange} said; down with the next
 * renewal. Sent twice, it happens once.
 * @throws AppError as {@link offerChange}; UNAVAILABLE when the provider is away.
 */
export async function changeSubscription(context: Context, planPriceId: string): Promise<PaymentOutcome> {
  const customerId = await findPaymentCustomer(context, context.actor?.userId ?? "");
  const { subscription, to, kind, isDone } = await wanted(context, planPriceId, { allowDone: true });
  const done: PaymentOutcome = { state: "done", message: null, id: null, clientSecret: null };
  if (isDone || !customerId) return done;
  const subscriptionId = providerIdOf(subscription);
  const change = await standingOffer(context, subscription, to);
  const key = `change-${change.id}`;
  const price = syncedPrice(to);
  try {
    if (kind === "now") await context.payments.changeNow({ subscriptionId, price, at: change.reckonedAt, key });
    else await context.payments.changeAtRenewal({ subscriptionId, price, key });
  } catch (error) {
    if (!(error instanceof CardRefused)) throw error;
    // The same price may be tried again with another card, which must be another request to the provider.
    await context.em.fork().nativeDelete(SubscriptionChange, { id: change.id });
    await planAgain(context, subscription, key);
    await syncCustomer(context, customerId);
    return { ...done, state: "declined", message: error.message };
  }
  await context.em.fork().nativeUpdate(SubscriptionChange, { id: change.id }, { doneAt: context.clock.now() });
  await syncCustomer(context, customerId);
  return done;
}

/** A declined change up changes nothing, nor what was planned for the next renewal, which had to make room for it. */
async function planAgain(context: Context, subscription: Subscription, key: string): Promise<void> {
  const planned = subscription.nextPlanPrice ? await findPlanPrice(context.em, subscription.nextPlanPrice) : null;
  if (!planned) return;
  const subscriptionId = providerIdOf(subscription);
  await context.payments.changeAtRenewal({ subscriptionId, price: syncedPrice(planned), key: `${key}-again` });
}

/**
 * Takes a change back that was planned for the next renewal.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE when the provider is away.
 */
export async function keepPresentPlan(context: Context): Promise<void> {
  const subscription = await findRunningSubscription(context);
  const customerId = await findPaymentCustomer(context, context.actor?.userId ?? "");
  if (!customerId) return;
  await context.payments.changeAtRenewal({
    subscriptionId: providerIdOf(subscription),
    price: null,
    key: `keep-${subscription.id}`,
  });
  await syncCustomer(context, customerId);
}

async function wanted(context: Context, planPriceId: string, { allowDone = false } = {}) {
  const subscription = await findRunningSubscription(context);
  const from = await findPlanPrice(context.em, subscription.planPrice);
  const to = await findPlanPrice(context.em, planPriceId);
  if (!from || !to?.plan.sellable)
    throw badInput({ productId: ["Sorry, this subscription level is not available any more. Please choose another."] });
  const isDone = to.id === (subscription.nextPlanPrice ?? from.id);
  if (isDone && !allowDone) throw badInput({ productId: ["You already have this subscription level."] });
  if (subscription.status === "past_due")
    throw new AppError("CONFLICT", {
      message: "Your last payment failed. Please update your payment details before you change your subscription.",
    });
  if (subscription.isCancelledAtPeriodEnd)
    throw new AppError("CONFLICT", {
      message: "Your subscription is cancelled. Please resume it before you change it.",
    });
  return { subscription, from, to, isDone, kind: kindOfChange(from, to) };
}

/** The offer that the customer was told, or, told nothing, one for this moment; the same one for all who ask at once. */
async function standingOffer(context: Context, subscription: Subscription, to: PlanPrice): Promise<SubscriptionChange> {
  const find = (em: Context["em"]) =>
    em.findOne(
      SubscriptionChange,
      {
        subscription: subscription.id,
        planPrice: to.id,
        doneAt: null,
        reckonedAt: { $gt: after(context.clock.now(), -OFFER_STANDS_MS) },
      },
      { orderBy: { reckonedAt: "desc", id: "desc" } },
    );
  if (!(await find(context.em.fork()))) await offerChange(context, to.id);
  return inTransaction(context, async (em) => {
    await em.findOneOrFail(User, subscription.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const offer = await find(em);
    if (!offer) throw new AppError("CONFLICT");
    // Of several told at the same time one is carried out; the others must not be found by whoever comes next.
    await em.nativeDelete(SubscriptionChange, { subscription: subscription.id, doneAt: null, id: { $ne: offer.id } });
    return offer;
  });
}

/** The provider's id of a subscription. @throws AppError CONFLICT for one from before the provider. */
export function providerIdOf(subscription: Subscription): string {
  if (subscription.providerSubscriptionId) return subscription.providerSubscriptionId;
  throw new AppError("CONFLICT", { message: "Please contact us to change this subscription." });
}

/**
 * When a change of plan happens: `now`, pro rata, for a higher level or from monthly to yearly; with the next `renewal`
 * for a lower level or from yearly to monthly (docs/domain.md#change-plan). A higher level at the shorter interval waits too: what was
 * paid for the year is more than a month of the higher level costs, and nothing is paid back (decision 0021).
 */
function kindOfChange(from: PlanPrice, to: PlanPrice): "now" | "renewal" {
  if (to.plan.productLevel < from.plan.productLevel) return "renewal";
  const isShorter = from.interval === "yearly" && to.interval === "monthly";
  return isShorter ? "renewal" : "now";
}

/**
 * Cancels the signed-in customer's subscription at the end of its period, or resumes it before that; one whose
 * renewal failed ends at once.
 * Doing it twice changes nothing.
 * @throws AppError CONFLICT without a running subscription; UNAVAILABLE when the provider is away.
 */
export async function setCancelled(context: Context, isCancelled: boolean): Promise<void> {
  const subscription = await findRunningSubscription(context);
  const id = providerIdOf(subscription);
  // What was paid for is over already: nothing is left to run to, and nothing more is to be charged.
  if (isCancelled && subscription.status === "past_due") await context.payments.cancelNow(id);
  else await context.payments.setCancelAtPeriodEnd(id, isCancelled);
  const customerId = await findPaymentCustomer(context, subscription.user.id);
  if (customerId) await syncCustomer(context, customerId);
}
