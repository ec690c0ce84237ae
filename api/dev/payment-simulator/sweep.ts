import { closeInvoice, collectInvoice, findCard, getInvoiceSubscription, hasUsedAllRetries } from "./collecting.ts";
import { getPeriodEndAfter, INCOMPLETE_SECONDS } from "./dates.ts";
import { issueInvoice } from "./invoicing.ts";
import type { AnyObject, Invoice, Subscription } from "./objects.ts";
import { integer, required } from "./parameters.ts";
import { calculateBilledPeriod, createPeriodLine } from "./price-changes.ts";
import { createDispute } from "./refunds.ts";
import { route } from "./routes.ts";
import { endPhase } from "./subscription-schedules.ts";
import { endSubscription, getItem, markUnpaid, setPeriod } from "./subscription-state.ts";
import { type DueOwner, getDueTime, type Transaction } from "./transaction.ts";

const frozenTime = { frozen_time: required(integer) };

/** Routes for test clocks. A customer with a test clock uses its time. */
export const testClockRoutes = [
  route("POST /v1/test_helpers/test_clocks", frozenTime, (tx, { frozen_time }) =>
    tx.create("test_helpers.test_clock", { frozen_time, status: "ready" }),
  ),
  route("POST /v1/test_helpers/test_clocks/:id/advance", frozenTime, async (tx, { frozen_time }, id) => {
    const clock = await tx.get("test_helpers.test_clock", id);
    await processDue(tx, frozen_time, { clock: id });
    return tx.save(clock, { frozen_time });
  }),
];

/** Types that can be due, in the order in which they are processed if they are due at the same time. */
const dueTypes = ["subscription_schedule", "subscription", "invoice", "charge"];

/**
 * Processes what is due by `until`, in seconds since 1970, in order and at the time it was due: everything on a test clock,
 * or everything of one customer on the application's clock.
 */
export async function processDue(tx: Transaction, until: number, owner: DueOwner): Promise<void> {
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
  else if (object.object === "charge") await createDispute(tx, object);
}

async function processSubscription(tx: Transaction, subscription: Subscription): Promise<void> {
  const { created, pause_collection: pause } = subscription;
  const now = await tx.now();
  if (subscription.status === "incomplete") {
    if (now >= created + INCOMPLETE_SECONDS) await expireIncomplete(tx, subscription);
  } else if (pause && pause.resumes_at <= now)
    await tx.emit("customer.subscription.updated", tx.save(subscription, { pause_collection: null }));
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
  await tx.emit("customer.subscription.updated", subscription);
  const lines = [createPeriodLine(price, period)];
  const invoice = await issueInvoice(tx, subscription, { reason: "subscription_cycle", lines });
  if (subscription.pause_collection) await closeInvoice(tx, invoice, "void");
  else await collectRenewal(tx, invoice, subscription);
}

async function collectRenewal(tx: Transaction, invoice: Invoice, subscription: Subscription): Promise<void> {
  const card = await findCard(tx, subscription);
  if (!(await collectInvoice(tx, invoice, card, { offSession: true }))) return;
  if (!hasUsedAllRetries(invoice)) {
    await markUnpaid(tx, subscription);
    return;
  }
  // After the last retry, cancel the subscription and write off the invoice. Our account at the provider is set up to
  // do the same.
  await endSubscription(tx, subscription, "canceled");
  await closeInvoice(tx, invoice, "uncollectible");
}
