import { closeInvoice, collectInvoice, findCard, getInvoiceSubscription, hasUsedAllRetries } from "./collecting.ts";
import { getPeriodEndAfter, INCOMPLETE_SECONDS } from "./dates.ts";
import { issueInvoice } from "./invoicing.ts";
import type { AnyObject, Invoice, Subscription } from "./objects.ts";
import { calculateBilledPeriod, createPeriodLine } from "./price-changes.ts";
import { createDispute } from "./refunds.ts";
import { endPhase } from "./subscription-schedules.ts";
import { endSubscription, getItem, markUnpaid, setPeriod } from "./subscription-state.ts";
import { getDueTime, type Transaction } from "./transaction.ts";

/** Types that can be due, in the order in which they are processed if they are due at the same time. */
const dueTypes = ["subscription_schedule", "subscription", "invoice", "charge"];

/** Processes what is due of a customer by `until`, in seconds since 1970, in order and at the time it was due. */
export async function processDue(tx: Transaction, until: number, customer: string | null): Promise<void> {
  await tx.loadDue(customer);
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
  let first: { due: number; object: AnyObject } | undefined;
  for (const object of tx.loaded) {
    const due = getDueTime(object);
    if (due === null || due > until || (first && due > first.due)) continue;
    if (!first || due < first.due || dueTypes.indexOf(object.object) < dueTypes.indexOf(first.object.object))
      first = { due, object };
  }
  return first;
}

async function processObject(tx: Transaction, object: AnyObject): Promise<void> {
  if (object.object === "subscription_schedule") await endPhase(tx, object);
  else if (object.object === "subscription") await processSubscription(tx, object);
  else if (object.object === "invoice") await collectRenewal(tx, object, await getInvoiceSubscription(tx, object));
  else if (object.object === "charge") createDispute(tx, object);
}

async function processSubscription(tx: Transaction, subscription: Subscription): Promise<void> {
  const { created, pause_collection: pause } = subscription;
  const now = tx.now();
  if (subscription.status === "incomplete") {
    if (now >= created + INCOMPLETE_SECONDS) await expireIncomplete(tx, subscription);
  } else if (pause && pause.resumes_at <= now)
    tx.emit("customer.subscription.updated", tx.save(subscription, { pause_collection: null }));
  else if (subscription.cancel_at_period_end) await endSubscription(tx, subscription, "canceled");
  else await renew(tx, subscription);
}

/** Ends a subscription and voids its invoice, because the first payment wasn't completed within 23 hours. */
async function expireIncomplete(tx: Transaction, subscription: Subscription): Promise<void> {
  await endSubscription(tx, subscription, "incomplete_expired");
  const { latest_invoice: id } = subscription;
  const invoice = id ? await tx.get("invoice", id) : null;
  if (invoice?.status === "open") await closeInvoice(tx, invoice, "void");
}

/** Starts the next period of a subscription and charges it in advance. A paused subscription isn't charged. */
async function renew(tx: Transaction, subscription: Subscription): Promise<void> {
  const { billing_cycle_anchor: anchor } = subscription;
  const { price, current_period_end: start } = getItem(subscription);
  const period = { start, end: getPeriodEndAfter(start, anchor, price.recurring) };
  setPeriod(subscription, period);
  subscription.sim.billed = calculateBilledPeriod(price, period);
  if (subscription.status === "trialing") subscription.status = "active";
  tx.emit("customer.subscription.updated", subscription);
  const lines = [createPeriodLine(price, period)];
  const invoice = await issueInvoice(tx, subscription, { reason: "subscription_cycle", lines });
  if (subscription.pause_collection) await closeInvoice(tx, invoice, "void");
  else await collectRenewal(tx, invoice, subscription);
}

async function collectRenewal(tx: Transaction, invoice: Invoice, subscription: Subscription): Promise<void> {
  const card = await findCard(tx, subscription);
  if (!(await collectInvoice(tx, invoice, card, { offSession: true }))) return;
  if (!hasUsedAllRetries(invoice)) {
    markUnpaid(tx, subscription);
    return;
  }
  // After the last retry, cancel the subscription and write off the invoice. Our account at the provider is set up to
  // do the same.
  await endSubscription(tx, subscription, "canceled");
  await closeInvoice(tx, invoice, "uncollectible");
}
