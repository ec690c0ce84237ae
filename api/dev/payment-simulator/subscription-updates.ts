import type { Subscription } from "./billing-objects.ts";
import { findCard, collect, missingCardError, prepareInvoice } from "./collecting.ts";
import { invalid, notSimulated } from "./errors.ts";
import { issueInvoice } from "./invoicing.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";
import { flag, group, list, metadata, enumeration, type Parsed, required, text, whole } from "./parameters.ts";
import { attachedPaymentMethod } from "./payment-methods.ts";
import { creditLine, type PlannedChange, planChange, sellablePrice } from "./price-changes.ts";
import { mergedMetadata, route } from "./routes.ts";
import { endSubscription, getItem, applyPriceChange, markUnpaid } from "./subscription-state.ts";
import { paymentSettings, findTaxRates, unpaidError } from "./subscriptions.ts";
import { type Transaction, visible } from "./transaction.ts";

const updateShape = {
  items: list(group({ id: required(text), price: text, quantity: enumeration("1") })),
  proration_behavior: enumeration("always_invoice", "create_prorations", "none"),
  proration_date: whole,
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
};

type Update = Parsed<typeof updateShape>;

/** Parameters that may go with a change that waits for its payment. */
const PENDING_MAY = new Set(["items", "proration_behavior", "proration_date", "payment_behavior", "off_session"]);

/** Calls that change and end subscriptions. */
export const subscriptionUpdateRoutes = [
  route("POST", "/v1/subscriptions/:id", updateShape, async (tx, { id, params }) => {
    const subscription = await tx.get("subscription", id);
    if (subscription.ended_at !== null)
      throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
    if (params.payment_behavior === "pending_if_incomplete") {
      const refused = Object.keys(params).find((name) => !PENDING_MAY.has(name));
      if (refused)
        throw invalid(`When payment_behavior is set to pending_if_incomplete you cannot pass \`${refused}\`.`, refused);
    }
    const before = structuredClone(subscription);
    const changed = await applySimple(tx, subscription, params);
    const priceId = await wantedPrice(tx, subscription, params);
    if (priceId) await changePrice(tx, subscription, priceId, params);
    if (changed || priceId) await sendUpdateEvent(tx, subscription, before);
    return subscription;
  }),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    { prorate: flag, invoice_now: flag, cancellation_details: group({ comment: text, feedback: text }) },
    async (tx, { id, params }) => {
      const subscription = await tx.get("subscription", id);
      if (subscription.ended_at !== null) throw invalid(`No such subscription: ${id}`, "id", "resource_missing");
      const now = await tx.now(subscription.customer);
      const credits =
        params.prorate && subscription.status === "active" ? [await creditLine(tx, subscription, now)] : [];
      subscription.sim.pendingLines.push(...credits);
      if (params.invoice_now && subscription.sim.pendingLines.length > 0) {
        const lines = subscription.sim.pendingLines.splice(0);
        const invoice = await issueInvoice(tx, subscription, {
          reason: "manual",
          lines,
          reductions: [],
          period: { start: now, end: now },
        });
        await collect(tx, invoice, await findCard(tx, subscription), { offSession: true });
      }
      Object.assign(subscription.cancellation_details, params.cancellation_details);
      await endSubscription(tx, subscription, "cancellation_requested");
      return subscription;
    },
  ),
];

async function applySimple(tx: Transaction, subscription: Subscription, params: Update): Promise<boolean> {
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
  if (card) await attachedPaymentMethod(tx, card, subscription.customer, "default_payment_method");
  if (card !== undefined) subscription.default_payment_method = card || null;
  if (rates) subscription.default_tax_rates = await findTaxRates(tx, rates);
  Object.assign(subscription.payment_settings, params.payment_settings);
  if (params.description !== undefined) subscription.description = params.description || null;
  subscription.metadata = mergedMetadata(subscription.metadata, params.metadata);
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

async function wantedPrice(tx: Transaction, subscription: Subscription, params: Update): Promise<string | null> {
  const [wanted, ...more] = params.items ?? [];
  const item = getItem(subscription);
  if (!wanted) return null;
  if (more.length > 0 || wanted.id !== item.id) throw invalid(`Invalid items id: ${wanted.id}.`, "items[0][id]");
  if (!wanted.price || wanted.price === item.price.id) return null;
  if (subscription.schedule) throw notSimulated("a change of price while a schedule manages the subscription", "items");
  if (subscription.status === "incomplete")
    throw invalid("You cannot change the items of an incomplete subscription.", "items");
  if (subscription.pending_update)
    throw notSimulated("a change of price while another one waits for its payment", "items");
  return (await sellablePrice(tx, wanted.price, "items[0][price]")).id;
}

async function changePrice(
  tx: Transaction,
  subscription: Subscription,
  priceId: string,
  params: Update,
): Promise<void> {
  const planned = await planChange(tx, subscription, await tx.get("price", priceId), {
    behavior: params.proration_behavior ?? "create_prorations",
    prorationDate: params.proration_date,
  });
  if (!planned.invoicedNow) {
    subscription.sim.pendingLines.push(...planned.lines);
    await applyPriceChange(tx, subscription, planned.change);
    return;
  }
  await changeByInvoice(
    tx,
    subscription,
    planned,
    params.payment_behavior ?? "allow_incomplete",
    params.off_session ?? false,
  );
}

async function changeByInvoice(
  tx: Transaction,
  subscription: Subscription,
  { change, lines, reductions, prorationDate }: PlannedChange,
  behavior: NonNullable<Update["payment_behavior"]>,
  offSession: boolean,
): Promise<void> {
  const now = await tx.now(subscription.customer);
  const waiting = subscription.sim.pendingLines.splice(0);
  const invoice = await issueInvoice(tx, subscription, {
    reason: "subscription_update",
    lines: [...waiting, ...lines],
    reductions,
    period: { start: now, end: now },
    prorationDate,
  });
  const card = await findCard(tx, subscription);
  if (behavior === "pending_if_incomplete") {
    if (!card && invoice.amount_due > 0) throw missingCardError();
    subscription.sim.pendingChange = { invoice: invoice.id, change };
    const collected = await collect(tx, invoice, card, { offSession });
    if (!collected.paid) {
      const proposed = { ...structuredClone(getItem(subscription)), price: await tx.get("price", change.price) };
      subscription.pending_update = { expires_at: now + INCOMPLETE_SECONDS, subscription_items: [proposed] };
      tx.save(subscription);
    }
    return;
  }
  await applyPriceChange(tx, subscription, change);
  if (behavior === "default_incomplete") {
    if (await prepareInvoice(tx, invoice, card)) await markUnpaid(tx, subscription);
    return;
  }
  if (!card && invoice.amount_due > 0) throw missingCardError();
  const collected = await collect(tx, invoice, card, { offSession });
  if (collected.paid) return;
  if (behavior === "error_if_incomplete") throw unpaidError(collected.intent);
  await markUnpaid(tx, subscription);
}

async function sendUpdateEvent(tx: Transaction, subscription: Subscription, before: Subscription): Promise<void> {
  const now = visible(subscription);
  const previous = Object.entries(visible(before)).filter(
    ([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value),
  );
  await tx.emit("customer.subscription.updated", subscription, Object.fromEntries(previous));
}
