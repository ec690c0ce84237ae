import type { AnyObject, Invoice, Subscription } from "./billing-objects.ts";
import { findCard, closeInvoice, collect, isGivenUp, findInvoiceSubscription } from "./collecting.ts";
import { runningReductions } from "./discounts.ts";
import { issueInvoice } from "./invoicing.ts";
import { INCOMPLETE_SECONDS, periodEndAfter } from "./dates.ts";
import { calculateBilledTime, periodLine } from "./price-changes.ts";
import { createDispute } from "./refunds.ts";
import { endPhase } from "./subscription-schedules.ts";
import { endSubscription, getItem, markUnpaid } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Does the one thing that came due first, at the moment it came due, if that is not after `until`. `clock` is
 * the test clock whose objects are meant; null means those that follow the application's clock.
 *
 * @returns whether there was something to do
 */
export async function processNextDue(tx: Transaction, until: number, clock: string | null): Promise<boolean> {
  await tx.flush();
  const { rows } = await tx.client.query<{ id: string; due: string }>(
    `select id, due from payment_simulator.objects
     where due <= $1 and clock is not distinct from $2
     order by due, array_position(array['subscription_schedule', 'subscription', 'invoice', 'charge'], type), number
     limit 1`,
    [until, clock],
  );
  const next = rows[0];
  if (!next) return false;
  const object = await tx.find(next.id);
  if (!object) return false;
  tx.pinned = Number(next.due);
  try {
    await doDue(tx, object);
    await tx.flush();
  } finally {
    tx.pinned = null;
  }
  return true;
}

async function doDue(tx: Transaction, object: AnyObject): Promise<void> {
  if (object.object === "subscription_schedule") await endPhase(tx, object);
  else if (object.object === "subscription") await doSubscription(tx, object);
  else if (object.object === "invoice") await retry(tx, object);
  else if (object.object === "charge") await createDispute(tx, object);
}

async function doSubscription(tx: Transaction, subscription: Subscription): Promise<void> {
  if (subscription.status === "incomplete") await expireIncomplete(tx, subscription);
  else if (subscription.pending_update) await expireUpdate(tx, subscription);
  else if (subscription.cancel_at_period_end) await endSubscription(tx, subscription, "cancellation_requested");
  else await renew(tx, subscription);
}

/** Nobody finished the first payment in 23 hours: the subscription and its invoice are over. */
async function expireIncomplete(tx: Transaction, subscription: Subscription): Promise<void> {
  if ((await tx.now()) < subscription.created + INCOMPLETE_SECONDS) return;
  const invoice = subscription.latest_invoice ? await tx.get("invoice", subscription.latest_invoice) : null;
  await endSubscription(tx, subscription, "expired");
  if (invoice?.status === "open") await closeInvoice(tx, invoice, "void");
}

/** Nobody paid for the change in 23 hours, or until the period ended: it is forgotten. */
async function expireUpdate(tx: Transaction, subscription: Subscription): Promise<void> {
  const waiting = subscription.sim.pendingChange;
  subscription.sim.pendingChange = null;
  subscription.pending_update = null;
  tx.save(subscription);
  const invoice = waiting ? await tx.get("invoice", waiting.invoice) : null;
  if (invoice?.status === "open") await closeInvoice(tx, invoice, "void");
  await tx.emit("customer.subscription.pending_update_expired", subscription);
}

/** A period is over and the next one begins, billed in advance. */
async function renew(tx: Transaction, subscription: Subscription): Promise<void> {
  const item = getItem(subscription);
  const previous = { start: item.current_period_start, end: item.current_period_end };
  const period = {
    start: previous.end,
    end: periodEndAfter(previous.end, subscription.billing_cycle_anchor, item.price.recurring),
  };
  item.current_period_start = period.start;
  item.current_period_end = period.end;
  const reductions = await runningReductions(tx, subscription, period.start);
  subscription.sim.billed = calculateBilledTime(item.price, reductions, period);
  const waiting = subscription.sim.pendingLines.splice(0);
  const items = { data: [{ id: item.id, current_period_start: previous.start, current_period_end: previous.end }] };
  await tx.emit("customer.subscription.updated", tx.save(subscription), { items });
  const invoice = await issueInvoice(tx, subscription, {
    reason: "subscription_cycle",
    lines: [...waiting, await periodLine(tx, item.price, item.id, period)],
    reductions,
    period: previous,
  });
  await collectRenewal(tx, invoice, subscription);
}

async function retry(tx: Transaction, invoice: Invoice): Promise<void> {
  const subscription = await findInvoiceSubscription(tx, invoice);
  if (subscription) await collectRenewal(tx, invoice, subscription);
}

async function collectRenewal(tx: Transaction, invoice: Invoice, subscription: Subscription): Promise<void> {
  const card = await findCard(tx, subscription);
  const collected = await collect(tx, invoice, card, { offSession: true });
  if (collected.paid) return;
  if (!isGivenUp(invoice)) {
    await markUnpaid(tx, subscription);
    return;
  }
  // The account's setting for a renewal that cannot be collected: end it, and write the invoice off.
  await endSubscription(tx, subscription, "payment_failed");
  await closeInvoice(tx, invoice, "uncollectible");
}
