import type { Invoice, Period, PriceChange, Subscription, SubscriptionItem } from "./objects.ts";
import type { Transaction } from "./transaction.ts";

/** Returns the only item of a subscription. */
export function getItem({ id, items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`The subscription ${id} has no item`);
  return item;
}

/** Sets the current period of a subscription, and the time at which it is cancelled if it is cancelled at the end. */
export function setPeriod(subscription: Subscription, { start, end }: Period): void {
  const item = getItem(subscription);
  item.current_period_start = start;
  item.current_period_end = end;
  if (subscription.cancel_at_period_end) subscription.cancel_at = end;
}

/** Changes the status of a subscription and emits the event. */
function setStatus(
  tx: Transaction,
  subscription: Subscription,
  status: "active" | "past_due" | "incomplete_expired",
): void {
  tx.emit("customer.subscription.updated", tx.save(subscription, { status }));
}

/** Marks an active subscription as past due. */
export function markUnpaid(tx: Transaction, subscription: Subscription): void {
  if (subscription.status === "active") setStatus(tx, subscription, "past_due");
}

/** Activates a subscription after an invoice was paid. */
export function markPaid(tx: Transaction, subscription: Subscription, invoice: Invoice): void {
  const { status, latest_invoice } = subscription;
  if (status === "incomplete" || (status === "past_due" && latest_invoice === invoice.id))
    setStatus(tx, subscription, "active");
}

/** Applies a price change to a subscription, with its billing period. */
export async function applyPriceChange(
  tx: Transaction,
  subscription: Subscription,
  { price, anchor, billed, ...period }: PriceChange,
): Promise<void> {
  getItem(subscription).price = await tx.get("price", price);
  setPeriod(subscription, period);
  subscription.sim.billed = billed;
  tx.save(subscription, { billing_cycle_anchor: anchor });
}

/** Ends a subscription immediately, cancels its schedule and stops retrying its open invoices. */
export async function endSubscription(
  tx: Transaction,
  subscription: Subscription,
  as: "canceled" | "incomplete_expired",
): Promise<void> {
  const { id, customer, schedule } = subscription;
  if (schedule) tx.save(await tx.get("subscription_schedule", schedule), { status: "canceled", current_phase: null });
  for (const invoice of await tx.findAll("invoice", { customer, status: "open" }))
    if (invoice.parent.subscription_details.subscription === id) tx.save(invoice, { next_payment_attempt: null });
  tx.save(subscription, { ended_at: tx.now(), schedule: null });
  if (as === "incomplete_expired") setStatus(tx, subscription, as);
  else tx.emit("customer.subscription.deleted", tx.save(subscription, { status: as }));
}
