import { redeemCoupon } from "./catalogue.ts";
import { collectInvoice, findCard, requireCard } from "./collecting.ts";
import { requireAttached } from "./customers.ts";
import { getPeriodEndAfter } from "./dates.ts";
import { enumeration, group, list, metadata, notSimulated, type Parsed, required, text } from "./parameters.ts";
import { issueInvoice } from "./invoicing.ts";
import { createId, type Subscription } from "./objects.ts";
import { calculateBilledPeriod, createPeriodLine } from "./price-changes.ts";
import { getRoute, paging, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

const createShape = {
  customer: required(text),
  items: required(list(group({ price: required(text) }))),
  default_payment_method: text,
  default_tax_rates: list(text),
  discounts: list(group({ coupon: required(text) })),
  payment_behavior: required(enumeration("allow_incomplete")),
  metadata,
};

const running = ["incomplete", "trialing", "active", "past_due"];

/** Routes that create and return subscriptions. */
export const subscriptionRoutes = [
  route("POST /v1/subscriptions", createShape, createSubscription),
  getRoute("/v1/subscriptions", "subscription"),
  route(
    "GET /v1/subscriptions",
    { customer: required(text), status: enumeration("all"), ...paging },
    (tx, { customer, status, ...page }) =>
      tx.findPage(
        "subscription",
        { where: status ? { customer } : { customer, status: running } },
        page,
        "/v1/subscriptions",
      ),
  ),
];

async function createSubscription(tx: Transaction, params: Parsed<typeof createShape>): Promise<Subscription> {
  const { default_payment_method: cardId = null, discounts: [discount, ...more] = [] } = params;
  if (more.length > 0) throw notSimulated("several coupons", "discounts");
  const { id: customer } = await tx.get("customer", params.customer, "customer");
  const price = await tx.get("price", params.items[0]?.price ?? "", "items[0][price]");
  const { currency, recurring } = price;
  if (cardId) await requireAttached(tx, cardId, customer, "default_payment_method");
  const start = tx.now();
  const period = { start, end: getPeriodEndAfter(start, start, recurring) };
  const coupon = discount ? await redeemCoupon(tx, discount.coupon) : null;
  const item = {
    id: createId("si"),
    object: "subscription_item",
    current_period_start: start,
    current_period_end: period.end,
    price,
  } as const;
  const subscription = tx.create("subscription", {
    metadata: params.metadata ?? {},
    billing_cycle_anchor: start,
    cancel_at: null,
    cancel_at_period_end: false,
    currency,
    customer,
    default_payment_method: cardId,
    default_tax_rates: await tx.getAll("tax_rate", params.default_tax_rates ?? [], "default_tax_rates"),
    ended_at: null,
    items: { object: "list", url: "/v1/subscription_items", has_more: false, data: [item] },
    latest_invoice: null,
    pause_collection: null,
    schedule: null,
    start_date: start,
    status: "incomplete",
    trial_end: null,
    sim: { billed: calculateBilledPeriod(price, period, coupon) },
  });
  tx.emit("customer.subscription.created", subscription);
  const lines = [createPeriodLine(price, period)];
  const invoice = await issueInvoice(tx, subscription, { reason: "subscription_create", lines, coupon });
  const card = await findCard(tx, subscription);
  requireCard(card, invoice);
  await collectInvoice(tx, invoice, card, { offSession: false });
  return subscription;
}
