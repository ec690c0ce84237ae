import { collectInvoice, findCard, requireCard } from "./collecting.ts";
import { requireAttached } from "./customers.ts";
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
import { planPriceChange, prorationShape } from "./price-changes.ts";
import { mergeMetadata, route } from "./routes.ts";
import { applyPriceChange, endSubscription, getItem, setPeriod } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

const updateShape = {
  items: list(group({ id: required(text), price: required(text) })),
  ...prorationShape,
  payment_behavior: enumeration("error_if_incomplete"),
  off_session: flag,
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
    await applyPause(tx, subscription, params);
    await applySettings(tx, subscription, params);
    const price = await findRequestedPrice(tx, subscription, params);
    if (price) await changePrice(tx, subscription, price, params);
    tx.emit("customer.subscription.updated", subscription);
    return subscription;
  }),
  route("DELETE /v1/subscriptions/:id", {}, async (tx, _params, id) => {
    const subscription = await tx.get("subscription", id);
    if (subscription.ended_at !== null) throw invalid(`No such subscription: ${id}`, "id", "resource_missing");
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
  const start = tx.now();
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
  const lines = [{ amount: 0, price: getItem(subscription).price.id, period }];
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
  return tx.get("price", requested.price, "items[0][price]");
}

async function changePrice(tx: Transaction, subscription: Subscription, price: Price, params: Update): Promise<void> {
  const { change, lines } = planPriceChange(tx, subscription, price, params);
  if (!params.payment_behavior) throw notSimulated("a price change without a payment behavior", "payment_behavior");
  const invoice = await issueInvoice(tx, subscription, { reason: "subscription_update", lines });
  const card = await findCard(tx, subscription);
  requireCard(card, invoice);
  await applyPriceChange(tx, subscription, change);
  const unpaid = await collectInvoice(tx, invoice, card, { offSession: params.off_session ?? false });
  if (unpaid) throw intentError(unpaid, { what: "subscription", keepsChanges: false });
}
