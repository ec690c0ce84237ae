import type { Invoice, PriceChange, Subscription, SubscriptionItem, SubscriptionStatus } from "./billing-objects.ts";
import type { PaymentIntent } from "./provider-objects.ts";
import type { Transaction } from "./transaction.ts";

/** The one thing that the subscription sells. */
export function getItem(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`The subscription ${subscription.id} has no item`);
  return item;
}

/** Gives the subscription a status and tells of it. */
export async function setStatus(
  tx: Transaction,
  subscription: Subscription,
  status: SubscriptionStatus,
): Promise<void> {
  const previous = subscription.status;
  if (previous === status) return;
  subscription.status = status;
  await tx.emit("customer.subscription.updated", tx.save(subscription), { status: previous });
}

/** The subscription's newest invoice, or a change of it, could not be collected. */
export async function markUnpaid(tx: Transaction, subscription: Subscription): Promise<void> {
  if (subscription.status === "active") await setStatus(tx, subscription, "past_due");
}

/** An invoice of the subscription was paid: it starts, recovers, or gets the change that waited for it. */
export async function markPaid(
  tx: Transaction,
  subscription: Subscription,
  invoice: Invoice,
  intent: PaymentIntent | null,
): Promise<void> {
  const waiting = subscription.sim.pendingChange;
  if (waiting?.invoice === invoice.id) {
    const waited = subscription.pending_update !== null;
    await applyPriceChange(tx, subscription, waiting.change);
    if (waited) {
      await tx.emit("customer.subscription.pending_update_applied", subscription);
      await tx.emit("customer.subscription.updated", subscription);
    }
  }
  const saves = subscription.payment_settings.save_default_payment_method === "on_subscription";
  if (saves && intent?.payment_method && subscription.default_payment_method !== intent.payment_method) {
    subscription.default_payment_method = intent.payment_method;
    tx.save(subscription);
  }
  if (
    subscription.status === "incomplete" ||
    (subscription.status === "past_due" && subscription.latest_invoice === invoice.id)
  )
    await setStatus(tx, subscription, "active");
}

/** Puts the subscription on another price, with the period that goes with it. */
export async function applyPriceChange(
  tx: Transaction,
  subscription: Subscription,
  change: PriceChange,
): Promise<void> {
  const item = getItem(subscription);
  item.price = await tx.get("price", change.price);
  item.current_period_start = change.start;
  item.current_period_end = change.end;
  subscription.billing_cycle_anchor = change.anchor;
  subscription.currency = item.price.currency;
  subscription.sim.billed = change.billed;
  subscription.sim.pendingChange = null;
  subscription.pending_update = null;
  if (subscription.cancel_at_period_end) subscription.cancel_at = change.end;
  tx.save(subscription);
}

/** Ends the subscription now, its schedule with it, and stops collecting its open invoices. */
export async function endSubscription(
  tx: Transaction,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed" | "expired",
): Promise<void> {
  const now = await tx.now(subscription.customer);
  if (subscription.schedule) {
    const schedule = await tx.get("subscription_schedule", subscription.schedule);
    Object.assign(schedule, { status: "canceled", canceled_at: now, current_phase: null });
    subscription.schedule = null;
    await tx.emit("subscription_schedule.canceled", tx.save(schedule));
  }
  for (const invoice of await tx.all("invoice", { customer: subscription.customer, where: { status: "open" } })) {
    if (invoice.parent?.subscription_details.subscription !== subscription.id) continue;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    tx.save(invoice);
  }
  subscription.ended_at = now;
  subscription.sim.pendingChange = null;
  subscription.pending_update = null;
  if (reason === "expired") {
    await setStatus(tx, subscription, "incomplete_expired");
    return;
  }
  subscription.status = "canceled";
  subscription.canceled_at ??= now;
  subscription.cancellation_details.reason = reason;
  await tx.emit("customer.subscription.deleted", tx.save(subscription));
}
