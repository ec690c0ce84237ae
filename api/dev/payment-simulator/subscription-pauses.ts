import type { Subscription } from "./billing-objects.ts";
import { collectInvoice } from "./collecting.ts";
import { invalid } from "./errors.ts";
import { issueInvoice } from "./invoicing.ts";
import { enumeration, group, integer, type Reader, required } from "./parameters.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

type Pause = NonNullable<Subscription["pause_collection"]>;

const pauseGroup = group({ behavior: required(enumeration("void")), resumes_at: required(integer) });

/** Parameters of an update that pause a subscription and move its period. An empty text ends the pause. */
export const pauseShape = {
  pause_collection: {
    read: (value, param) => (value === "" ? null : pauseGroup.read(value, param)),
  } satisfies Reader<Pause | null>,
  trial_end: integer,
};

/** Pauses a subscription or ends its pause, and moves the end of its period. Returns whether anything was given. */
export async function applyPause(
  tx: Transaction,
  subscription: Subscription,
  given: { pause_collection?: Pause | null | undefined; trial_end?: number | undefined },
): Promise<boolean> {
  const { pause_collection: pause, trial_end: end } = given;
  const now = await tx.now(subscription.customer);
  if (pause && pause.resumes_at <= now)
    throw invalid("Timestamp must be in the future.", "pause_collection[resumes_at]");
  if (pause !== undefined) subscription.pause_collection = pause;
  if (end !== undefined) await moveEnd(tx, subscription, now, end);
  tx.save(subscription);
  return pause !== undefined || end !== undefined;
}

/** Ends a pause whose time has come. */
export async function endPause(tx: Transaction, subscription: Subscription): Promise<void> {
  const previous = subscription.pause_collection;
  subscription.pause_collection = null;
  await tx.emit("customer.subscription.updated", tx.save(subscription), { pause_collection: previous });
}

/** Starts a trial until `end`, with an invoice of nothing as the provider sends it. The next period begins then. */
async function moveEnd(tx: Transaction, subscription: Subscription, now: number, end: number): Promise<void> {
  if (end <= now) throw invalid("Timestamp must be in the future.", "trial_end");
  const item = getItem(subscription);
  const period = { start: now, end };
  item.current_period_start = now;
  item.current_period_end = end;
  Object.assign(subscription, { billing_cycle_anchor: end, trial_start: now, trial_end: end });
  if (subscription.cancel_at_period_end) subscription.cancel_at = end;
  const invoice = await issueInvoice(tx, subscription, {
    reason: "subscription_update",
    lines: [{ amount: 0, description: "Trial period", price: item.price, item: item.id, period, proration: false }],
    couponDiscounts: [],
    period,
  });
  await collectInvoice(tx, invoice, null, { offSession: true });
  subscription.status = "trialing";
}
