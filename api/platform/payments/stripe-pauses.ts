import type Stripe from "stripe";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Payments } from "./payments.ts";
import { voidLatestInvoice } from "./stripe-operations.ts";
import { getId } from "./stripe-objects.ts";
import { getActiveSchedule } from "./stripe-schedules.ts";

/** Least paid time that is left after a pause, in seconds. The provider refuses a period that ends immediately. */
const MIN_LEFT_SECONDS = (5 * MINUTE) / SECOND;

type Loaded = { readonly subscription: Stripe.Subscription; readonly item: Stripe.SubscriptionItem };

/** Pauses a subscription, as `Payments.pauseSubscription` describes. */
export async function pauseSubscription(
  stripe: Stripe,
  { subscription, item }: Loaded,
  { until, now, voidsUnpaid }: Parameters<Payments["pauseSubscription"]>[0],
): Promise<boolean> {
  const resumesAt = toSeconds(until);
  if (subscription.pause_collection?.resumes_at === resumesAt) return true;
  const isPaid = await hasPaidPeriod(stripe, subscription, voidsUnpaid);
  if (isPaid === null) return false;
  const left = Math.max(isPaid ? getSecondsLeft({ subscription, item }, now) : 0, MIN_LEFT_SECONDS);
  await releaseSchedule(stripe, subscription);
  await stripe.subscriptions.update(subscription.id, {
    pause_collection: { behavior: "void", resumes_at: resumesAt },
    ...moveEndTo(resumesAt + left),
  });
  return true;
}

/** Ends a pause, as `Payments.endPause` describes. */
export async function endPause(stripe: Stripe, loaded: Loaded, now: Date): Promise<void> {
  const { subscription } = loaded;
  const resumesAt = subscription.pause_collection?.resumes_at;
  if (!resumesAt) return;
  await releaseSchedule(stripe, subscription);
  const isOver = resumesAt <= toSeconds(now);
  const end = toSeconds(now) + Math.max(getSecondsLeft(loaded, now), MIN_LEFT_SECONDS);
  await stripe.subscriptions.update(subscription.id, { pause_collection: "", ...(isOver ? {} : moveEndTo(end)) });
}

/** Returns whether the current period is paid; null if its invoice can still be paid. Voids an open one if allowed. */
async function hasPaidPeriod(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  voids: boolean,
): Promise<boolean | null> {
  // The end of an earlier pause moved the paid time.
  if (subscription.status === "trialing") return true;
  const latest = getId(subscription.latest_invoice);
  const status = latest ? (await stripe.invoices.retrieve(latest)).status : "paid";
  if (status === "paid") return true;
  if (status === "void" || status === "uncollectible") return false;
  return status === "open" && voids && (await voidLatestInvoice(stripe, subscription)) ? false : null;
}

/** Returns the seconds from now, or from the end of a pause, to the end of the period. */
function getSecondsLeft({ subscription, item }: Loaded, now: Date): number {
  const from = Math.max(toSeconds(now), subscription.pause_collection?.resumes_at ?? 0);
  return Math.max(0, item.current_period_end - from);
}

/** Moves the end of a paid period with a trial, which is neither charged nor credited. The next payment is due then. */
function moveEndTo(end: number): Pick<Stripe.SubscriptionUpdateParams, "trial_end" | "proration_behavior"> {
  return { trial_end: end, proration_behavior: "none" };
}

/** Removes the schedule of a price, which has the dates of the period before the pause. */
async function releaseSchedule(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const schedule = getActiveSchedule(subscription);
  if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
}

const toSeconds = (at: Date): number => Math.floor(at.getTime() / SECOND);
