import type { Subscription } from "./billing-objects.ts";
import { findCard, collectInvoice, createMissingCardError, prepareInvoicePayment } from "./collecting.ts";
import { invalid, notSimulated } from "./errors.ts";
import { issueInvoice } from "./invoicing.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";
import { flag, group, list, metadata, enumeration, type Parsed, required, text, integer } from "./parameters.ts";
import { getAttachedPaymentMethod } from "./payment-methods.ts";
import { createCreditLine, type PlannedChange, planPriceChange, getActivePrice } from "./price-changes.ts";
import { mergeMetadata, defineRoute } from "./routes.ts";
import { applyPause, pauseShape } from "./subscription-pauses.ts";
import { endSubscription, getItem, applyPriceChange, markUnpaid } from "./subscription-state.ts";
import { paymentSettings, findTaxRates, createUnpaidError } from "./subscriptions.ts";
import { type Transaction, removeInternalFields } from "./transaction.ts";

const updateShape = {
  items: list(group({ id: required(text), price: text, quantity: enumeration("1") })),
  proration_behavior: enumeration("always_invoice", "create_prorations", "none"),
  proration_date: integer,
  payment_behavior: enumeration(
    "allow_incomplete",
    "default_incomplete",
    "error_if_incomplete",
    "pending_if_incomplete",
  ),
  off_session: flag,
  cancel_at_period_end: flag,
  cancellation_details: group({ comment: text, feedback: text }),
  default_payment_method: text,
  default_tax_rates: list(text),
  payment_settings: paymentSettings,
  description: text,
  metadata,
  ...pauseShape,
};

type Update = Parsed<typeof updateShape>;

/** Parameters allowed with `payment_behavior: pending_if_incomplete`. */
const PENDING_UPDATE_PARAMETERS = new Set([
  "items",
  "proration_behavior",
  "proration_date",
  "payment_behavior",
  "off_session",
]);

/** Routes that change and cancel subscriptions. */
export const subscriptionUpdateRoutes = [
  defineRoute("POST", "/v1/subscriptions/:id", updateShape, async (tx, { id, params }) => {
    const subscription = await tx.get("subscription", id);
    if (subscription.ended_at !== null)
      throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
    if (params.payment_behavior === "pending_if_incomplete") {
      const refused = Object.keys(params).find((name) => !PENDING_UPDATE_PARAMETERS.has(name));
      if (refused)
        throw invalid(`When payment_behavior is set to pending_if_incomplete you cannot pass \`${refused}\`.`, refused);
    }
    const before = structuredClone(subscription);
    if (subscription.schedule && params.trial_end !== undefined)
      throw notSimulated("a trial while a schedule manages the subscription", "trial_end");
    const isMoved = await applyPause(tx, subscription, params);
    const changed = (await applySettings(tx, subscription, params)) || isMoved;
    const priceId = await findRequestedPrice(tx, subscription, params);
    if (priceId) await changePrice(tx, subscription, priceId, params);
    if (changed || priceId) await sendUpdateEvent(tx, subscription, before);
    return subscription;
  }),
  defineRoute(
    "DELETE",
    "/v1/subscriptions/:id",
    { prorate: flag, invoice_now: flag, cancellation_details: group({ comment: text, feedback: text }) },
    async (tx, { id, params }) => {
      const subscription = await tx.get("subscription", id);
      if (subscription.ended_at !== null) throw invalid(`No such subscription: ${id}`, "id", "resource_missing");
      const now = await tx.now(subscription.customer);
      const credits =
        params.prorate && subscription.status === "active" ? [await createCreditLine(tx, subscription, now)] : [];
      subscription.sim.pendingLines.push(...credits);
      if (params.invoice_now && subscription.sim.pendingLines.length > 0) {
        const lines = subscription.sim.pendingLines.splice(0);
        const invoice = await issueInvoice(tx, subscription, {
          reason: "manual",
          lines,
          couponDiscounts: [],
          period: { start: now, end: now },
        });
        await collectInvoice(tx, invoice, await findCard(tx, subscription), { offSession: true });
      }
      Object.assign(subscription.cancellation_details, params.cancellation_details);
      await endSubscription(tx, subscription, "cancellation_requested");
      return subscription;
    },
  ),
];

async function applySettings(tx: Transaction, subscription: Subscription, params: Update): Promise<boolean> {
  const { cancel_at_period_end: cancels, default_payment_method: card, default_tax_rates: rates } = params;
  if (cancels !== undefined) {
    if (subscription.schedule)
      throw invalid(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
        "cancel_at_period_end",
      );
    subscription.cancel_at_period_end = cancels;
    subscription.cancel_at = cancels ? getItem(subscription).current_period_end : null;
    subscription.canceled_at = cancels ? await tx.now(subscription.customer) : null;
    subscription.cancellation_details.reason = cancels ? "cancellation_requested" : null;
  }
  Object.assign(subscription.cancellation_details, params.cancellation_details);
  if (card) await getAttachedPaymentMethod(tx, card, subscription.customer, "default_payment_method");
  if (card !== undefined) subscription.default_payment_method = card || null;
  if (rates) subscription.default_tax_rates = await findTaxRates(tx, rates);
  Object.assign(subscription.payment_settings, params.payment_settings);
  if (params.description !== undefined) subscription.description = params.description || null;
  subscription.metadata = mergeMetadata(subscription.metadata, params.metadata);
  tx.save(subscription);
  const settings = [
    cancels,
    params.cancellation_details,
    card,
    rates,
    params.payment_settings,
    params.description,
    params.metadata,
  ];
  return settings.some((value) => value !== undefined);
}

async function findRequestedPrice(tx: Transaction, subscription: Subscription, params: Update): Promise<string | null> {
  const [requested, ...more] = params.items ?? [];
  const item = getItem(subscription);
  if (!requested) return null;
  if (more.length > 0 || requested.id !== item.id) throw invalid(`Invalid items id: ${requested.id}.`, "items[0][id]");
  if (!requested.price || requested.price === item.price.id) return null;
  if (subscription.schedule) throw notSimulated("a price change while a schedule manages the subscription", "items");
  if (subscription.status === "incomplete")
    throw invalid("You cannot change the items of an incomplete subscription.", "items");
  if (subscription.pending_update)
    throw notSimulated("a price change while another one is waiting for payment", "items");
  return (await getActivePrice(tx, requested.price, "items[0][price]")).id;
}

async function changePrice(
  tx: Transaction,
  subscription: Subscription,
  priceId: string,
  params: Update,
): Promise<void> {
  const planned = await planPriceChange(tx, subscription, await tx.get("price", priceId), {
    behavior: params.proration_behavior ?? "create_prorations",
    prorationDate: params.proration_date,
  });
  if (!planned.invoicedNow) {
    subscription.sim.pendingLines.push(...planned.lines);
    await applyPriceChange(tx, subscription, planned.change);
    return;
  }
  await changePriceByInvoice(
    tx,
    subscription,
    planned,
    params.payment_behavior ?? "allow_incomplete",
    params.off_session ?? false,
  );
}

async function changePriceByInvoice(
  tx: Transaction,
  subscription: Subscription,
  { change, lines, couponDiscounts, prorationDate }: PlannedChange,
  behavior: NonNullable<Update["payment_behavior"]>,
  offSession: boolean,
): Promise<void> {
  const now = await tx.now(subscription.customer);
  const pendingLines = subscription.sim.pendingLines.splice(0);
  const invoice = await issueInvoice(tx, subscription, {
    reason: "subscription_update",
    lines: [...pendingLines, ...lines],
    couponDiscounts,
    period: { start: now, end: now },
    prorationDate,
  });
  const card = await findCard(tx, subscription);
  if (behavior === "pending_if_incomplete") {
    if (!card && invoice.amount_due > 0) throw createMissingCardError();
    subscription.sim.pendingChange = { invoice: invoice.id, change };
    const collected = await collectInvoice(tx, invoice, card, { offSession });
    if (!collected.paid) {
      const proposed = { ...structuredClone(getItem(subscription)), price: await tx.get("price", change.price) };
      subscription.pending_update = { expires_at: now + INCOMPLETE_SECONDS, subscription_items: [proposed] };
      tx.save(subscription);
    }
    return;
  }
  await applyPriceChange(tx, subscription, change);
  if (behavior === "default_incomplete") {
    if (await prepareInvoicePayment(tx, invoice, card)) await markUnpaid(tx, subscription);
    return;
  }
  if (!card && invoice.amount_due > 0) throw createMissingCardError();
  const collected = await collectInvoice(tx, invoice, card, { offSession });
  if (collected.paid) return;
  if (behavior === "error_if_incomplete") throw createUnpaidError(collected.intent);
  await markUnpaid(tx, subscription);
}

async function sendUpdateEvent(tx: Transaction, subscription: Subscription, before: Subscription): Promise<void> {
  const now = removeInternalFields(subscription);
  const previous = Object.entries(removeInternalFields(before)).filter(
    ([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value),
  );
  await tx.emit("customer.subscription.updated", subscription, Object.fromEntries(previous));
}
