import { collectInvoice, findCard, requireCard } from "./collecting.ts";
import { requireAttached } from "./customers.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";
import {
  intentError,
  invalid,
  notSimulated,
  enumeration,
  flag,
  group,
  integer,
  list,
  metadata,
  type Parsed,
  removable,
  required,
  text,
} from "./parameters.ts";
import { issueInvoice } from "./invoicing.ts";
import type { Price, Subscription } from "./objects.ts";
import { createCreditLine, getActivePrice, planPriceChange, prorationShape } from "./price-changes.ts";
import { mergeMetadata, route } from "./routes.ts";
import { applyPriceChange, endSubscription, getItem, markUnpaid, setPeriod } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

const priceShape = {
  items: list(group({ id: required(text), price: required(text) })),
  ...prorationShape,
  payment_behavior: enumeration("allow_incomplete", "error_if_incomplete", "pending_if_incomplete"),
  off_session: flag,
};

const updateShape = {
  ...priceShape,
  cancel_at_period_end: flag,
  default_payment_method: text,
  default_tax_rates: list(text),
  metadata,
  pause_collection: removable(group({ behavior: required(enumeration("void")), resumes_at: required(integer) })),
  trial_end: integer,
};

type Update = Parsed<typeof updateShape>;

/** Routes that change and cancel subscriptions. */
export const subscriptionUpdateRoutes = [
  route("POST /v1/subscriptions/:id", updateShape, async (tx, params, id) => {
    const subscription = await tx.get("subscription", id);
    if (subscription.ended_at !== null)
      throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
    const refused = Object.keys(params).find((name) => !Object.hasOwn(priceShape, name));
    if (refused && params.payment_behavior === "pending_if_incomplete")
      throw invalid(`When payment_behavior is set to pending_if_incomplete you cannot pass \`${refused}\`.`, refused);
    await applyPause(tx, subscription, params);
    await applySettings(tx, subscription, params);
    const price = await findRequestedPrice(tx, subscription, params);
    if (price) await changePrice(tx, subscription, price, params);
    await tx.emit("customer.subscription.updated", subscription);
    return subscription;
  }),
  route("DELETE /v1/subscriptions/:id", { prorate: flag, invoice_now: flag }, async (tx, params, id) => {
    const subscription = await tx.get("subscription", id);
    if (subscription.ended_at !== null) throw invalid(`No such subscription: ${id}`, "id", "resource_missing");
    const lines = subscription.sim.pendingLines;
    if (params.prorate && subscription.status === "active")
      lines.push(createCreditLine(subscription, await tx.now(subscription.customer)));
    if (params.invoice_now && lines.length > 0) {
      const invoice = await issueInvoice(tx, subscription, { reason: "manual", lines: lines.splice(0) });
      await collectInvoice(tx, invoice, await findCard(tx, subscription), { offSession: true });
    }
    await endSubscription(tx, subscription, "canceled");
    return subscription;
  }),
];

/** Pauses a subscription or ends its pause, and moves the end of its period. */
async function applyPause(
  tx: Transaction,
  subscription: Subscription,
  { pause_collection: pause, trial_end: end }: Update,
): Promise<void> {
  const start = await tx.now(subscription.customer);
  if (pause && pause.resumes_at <= start)
    throw invalid("Timestamp must be in the future.", "pause_collection[resumes_at]");
  if (pause !== undefined) subscription.pause_collection = pause;
  if (end === undefined) return;
  if (end <= start) throw invalid("Timestamp must be in the future.", "trial_end");
  if (subscription.schedule) throw notSimulated("a trial while a schedule manages the subscription", "trial_end");
  // A trial moves the end. Like the provider, it sends an invoice of nothing. The next period begins when it ends.
  const period = { start, end };
  setPeriod(subscription, period);
  tx.save(subscription, { billing_cycle_anchor: end, trial_end: end });
  const lines = [{ amount: 0, price: getItem(subscription).price.id, period, proration: false }];
  const invoice = await issueInvoice(tx, subscription, { reason: "subscription_update", lines });
  await collectInvoice(tx, invoice, null, { offSession: true });
  tx.save(subscription, { status: "trialing" });
}

async function applySettings(tx: Transaction, subscription: Subscription, params: Update): Promise<void> {
  const { cancel_at_period_end: cancels, default_payment_method: card, default_tax_rates: rates } = params;
  if (cancels !== undefined) {
    if (subscription.schedule) {
      const message = `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`;
      throw invalid(message, "cancel_at_period_end");
    }
    subscription.cancel_at_period_end = cancels;
    subscription.cancel_at = cancels ? getItem(subscription).current_period_end : null;
  }
  if (card) await requireAttached(tx, card, subscription.customer, "default_payment_method");
  if (card !== undefined) subscription.default_payment_method = card || null;
  if (rates) subscription.default_tax_rates = await tx.getAll("tax_rate", rates, "default_tax_rates");
  tx.save(subscription, { metadata: mergeMetadata(subscription.metadata, params.metadata) });
}

async function findRequestedPrice(
  tx: Transaction,
  subscription: Subscription,
  { items: [requested] = [] }: Update,
): Promise<Price | null> {
  const item = getItem(subscription);
  if (!requested) return null;
  if (requested.id !== item.id) throw invalid(`Invalid items id: ${requested.id}.`, "items[0][id]");
  if (requested.price === item.price.id) return null;
  if (subscription.schedule) throw notSimulated("a price change while a schedule manages the subscription", "items");
  if (subscription.status === "incomplete")
    throw invalid("You cannot change the items of an incomplete subscription.", "items");
  if (subscription.pending_update)
    throw notSimulated("a price change while another one is waiting for payment", "items");
  return getActivePrice(tx, requested.price, "items[0][price]");
}

async function changePrice(tx: Transaction, subscription: Subscription, price: Price, params: Update): Promise<void> {
  const { payment_behavior: behavior, off_session: offSession = false } = params;
  const { sim } = subscription;
  const { change, lines, coupons, invoicedNow } = await planPriceChange(tx, subscription, price, params);
  sim.pendingLines.push(...lines);
  if (!invoicedNow) {
    await applyPriceChange(tx, subscription, change);
    return;
  }
  const plan = { reason: "subscription_update", lines: sim.pendingLines.splice(0), coupons } as const;
  const invoice = await issueInvoice(tx, subscription, plan);
  const card = await findCard(tx, subscription);
  requireCard(card, invoice);
  if (behavior === "pending_if_incomplete") sim.pendingChange = { invoice: invoice.id, change };
  else await applyPriceChange(tx, subscription, change);
  const collected = await collectInvoice(tx, invoice, card, { offSession });
  if (collected.paid) return;
  if (behavior === "error_if_incomplete")
    throw intentError(collected.intent, { what: "subscription", keepsChanges: false });
  if (behavior === "pending_if_incomplete") {
    const expires_at = (await tx.now(subscription.customer)) + INCOMPLETE_SECONDS;
    tx.save(subscription, { pending_update: { expires_at } });
  } else await markUnpaid(tx, subscription);
}
