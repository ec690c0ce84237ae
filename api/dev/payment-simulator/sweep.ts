import type { AnyObject, Invoice, Subscription } from "./billing-objects.ts";
import { findCard, closeInvoice, collectInvoice, hasUsedAllRetries, findInvoiceSubscription } from "./collecting.ts";
import { findActiveDiscounts } from "./discounts.ts";
import { issueInvoice } from "./invoicing.ts";
import { INCOMPLETE_SECONDS, getPeriodEndAfter } from "./dates.ts";
import { calculateBilledPeriod, createPeriodLine } from "./price-changes.ts";
import { createDispute } from "./refunds.ts";
import { endPhase } from "./subscription-schedules.ts";
import { endPause } from "./subscription-pauses.ts";
import { endSubscription, getItem, markUnpaid } from "./subscription-state.ts";
import { getDueTime, type Transaction } from "./transaction.ts";

/** Types that can be due, in the order in which they are processed if they are due at the same time. */
const dueTypes = ["subscription_schedule", "subscription", "invoice", "charge"];

/**
 * Processes what is due by `until`, in seconds since 1970, in order and at the time it was due: everything on a test clock,
 * or everything of one customer on the application's clock.
 */
export async function processDue(
  tx: Transaction,
  until: number,
  owner: { readonly clock: string } | { readonly customer: string | null },
): Promise<void> {
  await tx.loadDue(owner);
  try {
    for (let next = findNextDue(tx, until); next; next = findNextDue(tx, until)) {
      tx.fixedTime = next.due;
      await processObject(tx, next.object);
    }
  } finally {
    tx.fixedTime = null;
  }
  await tx.flush();
}

function findNextDue(tx: Transaction, until: number): { due: number; object: AnyObject } | undefined {
  return [...tx.loaded]
    .flatMap((object) => {
      const due = getDueTime(object);
      return due === null || due > until ? [] : [{ due, object }];
    })
    .toSorted(
      (one, other) =>
        one.due - other.due || dueTypes.indexOf(one.object.object) - dueTypes.indexOf(other.object.object),
    )[0];
}

async function processObject(tx: Transaction, object: AnyObject): Promise<void> {
  if (object.object === "subscription_schedule") await endPhase(tx, object);
  else if (object.object === "subscription") await processSubscription(tx, object);
  else if (object.object === "invoice") await retryInvoice(tx, object);
  else if (object.object === "charge") await createDispute(tx, object);
}

async function processSubscription(tx: Transaction, subscription: Subscription): Promise<void> {
  const { pause_collection: pause } = subscription;
  if (subscription.status === "incomplete") await expireIncomplete(tx, subscription);
  else if (pause && pause.resumes_at <= (await tx.now())) await endPause(tx, subscription);
  else if (subscription.pending_update) await expireUpdate(tx, subscription);
  else if (subscription.cancel_at_period_end) await endSubscription(tx, subscription, "cancellation_requested");
  else await renew(tx, subscription);
}

/** Ends a subscription and voids its invoice if the first payment wasn't completed within 23 hours. */
async function expireIncomplete(tx: Transaction, subscription: Subscription): Promise<void> {
  if ((await tx.now()) < subscription.created + INCOMPLETE_SECONDS) return;
  const invoice = subscription.latest_invoice ? await tx.get("invoice", subscription.latest_invoice) : null;
  await endSubscription(tx, subscription, "expired");
  if (invoice?.status === "open") await closeInvoice(tx, invoice, "void");
}

/** Discards a price change that wasn't paid within 23 hours or by the end of the period. */
async function expireUpdate(tx: Transaction, subscription: Subscription): Promise<void> {
  const pending = subscription.sim.pendingChange;
  subscription.sim.pendingChange = null;
  subscription.pending_update = null;
  tx.save(subscription);
  const invoice = pending ? await tx.get("invoice", pending.invoice) : null;
  if (invoice?.status === "open") await closeInvoice(tx, invoice, "void");
  await tx.emit("customer.subscription.pending_update_expired", subscription);
}

/** Starts the next period of a subscription and charges it in advance. A paused subscription isn't charged. */
async function renew(tx: Transaction, subscription: Subscription): Promise<void> {
  const item = getItem(subscription);
  const previous = { start: item.current_period_start, end: item.current_period_end };
  const period = {
    start: previous.end,
    end: getPeriodEndAfter(previous.end, subscription.billing_cycle_anchor, item.price.recurring),
  };
  item.current_period_start = period.start;
  item.current_period_end = period.end;
  const couponDiscounts = await findActiveDiscounts(tx, subscription, period.start);
  subscription.sim.billed = calculateBilledPeriod(item.price, couponDiscounts, period);
  const pendingLines = subscription.sim.pendingLines.splice(0);
  if (subscription.status === "trialing") subscription.status = "active";
  const items = { data: [{ id: item.id, current_period_start: previous.start, current_period_end: previous.end }] };
  await tx.emit("customer.subscription.updated", tx.save(subscription), { items });
  const invoice = await issueInvoice(tx, subscription, {
    reason: "subscription_cycle",
    lines: [...pendingLines, await createPeriodLine(tx, item.price, item.id, period)],
    couponDiscounts,
    period: previous,
  });
  if (subscription.pause_collection) await closeInvoice(tx, invoice, "void");
  else await collectRenewal(tx, invoice, subscription);
}

async function retryInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  const subscription = await findInvoiceSubscription(tx, invoice);
  if (subscription) await collectRenewal(tx, invoice, subscription);
}

async function collectRenewal(tx: Transaction, invoice: Invoice, subscription: Subscription): Promise<void> {
  const card = await findCard(tx, subscription);
  const collected = await collectInvoice(tx, invoice, card, { offSession: true });
  if (collected.paid) return;
  if (!hasUsedAllRetries(invoice)) {
    await markUnpaid(tx, subscription);
    return;
  }
  // After the last retry, cancel the subscription and write off the invoice. Our account at the provider is set up to
  // do the same.
  await endSubscription(tx, subscription, "payment_failed");
  await closeInvoice(tx, invoice, "uncollectible");
}
