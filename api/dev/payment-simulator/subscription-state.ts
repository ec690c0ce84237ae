import type { Invoice, PriceChange, Subscription, SubscriptionItem, SubscriptionStatus } from "./billing-objects.ts";
import type { PaymentIntent } from "./provider-objects.ts";
import type { Transaction } from "./transaction.ts";

/** Returns the only item of a subscription. */
export function getItem(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`The subscription ${subscription.id} has no item`);
  return item;
}

/** Changes the status of a subscription and emits the event. */
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

/** Marks an active subscription as past due. */
export async function markUnpaid(tx: Transaction, subscription: Subscription): Promise<void> {
  if (subscription.status === "active") await setStatus(tx, subscription, "past_due");
}

/** Updates a subscription after an invoice was paid: applies a pending price change and activates the subscription. */
export async function markPaid(
  tx: Transaction,
  subscription: Subscription,
  invoice: Invoice,
  intent: PaymentIntent | null,
): Promise<void> {
  const pending = subscription.sim.pendingChange;
  if (pending?.invoice === invoice.id) {
    const hadPendingUpdate = subscription.pending_update !== null;
    await applyPriceChange(tx, subscription, pending.change);
    if (hadPendingUpdate) {
      await tx.emit("customer.subscription.pending_update_applied", subscription);
      await tx.emit("customer.subscription.updated", subscription);
    }
  }
  const savesCard = subscription.payment_settings.save_default_payment_method === "on_subscription";
  if (savesCard && intent?.payment_method && subscription.default_payment_method !== intent.payment_method) {
    subscription.default_payment_method = intent.payment_method;
    tx.save(subscription);
  }
  if (
    subscription.status === "incomplete" ||
    (subscription.status === "past_due" && subscription.latest_invoice === invoice.id)
  )
    await setStatus(tx, subscription, "active");
}

/** Applies a price change to a subscription, with its billing period. */
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

/** Ends a subscription immediately, cancels its schedule and stops retrying its open invoices. */
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
  for (const invoice of await tx.findAll("invoice", { customer: subscription.customer, where: { status: "open" } })) {
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
