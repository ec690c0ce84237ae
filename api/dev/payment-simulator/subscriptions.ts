import type { Invoice, Subscription } from "./billing-objects.ts";
import { findCard, collectInvoice, createMissingCardError, prepareInvoicePayment } from "./collecting.ts";
import { couponsShape, redeemCoupons, createCouponDiscounts } from "./discounts.ts";
import { cardError, invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { issueInvoice } from "./invoicing.ts";
import { getPeriodEndAfter } from "./dates.ts";
import type { PaymentIntent, TaxRate } from "./provider-objects.ts";
import { flag, group, list, metadata, enumeration, paging, range, required, text } from "./parameters.ts";
import { getAttachedPaymentMethod } from "./payment-methods.ts";
import { calculateBilledPeriod, createPeriodLine, getActivePrice } from "./price-changes.ts";
import { defineGetRoute, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/** Reads the `payment_settings` parameter. */
export const paymentSettings = group({
  payment_method_types: list(enumeration("card")),
  save_default_payment_method: enumeration("off", "on_subscription"),
});

/**
 * Returns tax rates by their ids.
 * @throws ProviderError for an unknown id.
 */
export async function findTaxRates(
  tx: Transaction,
  ids: readonly string[],
  param = "default_tax_rates",
): Promise<TaxRate[]> {
  const rates: TaxRate[] = [];
  for (const [index, id] of ids.entries()) rates.push(await tx.get("tax_rate", id, `${param}[${index}]`));
  return rates;
}

/** Creates the 402 error for a subscription or a change that had to be paid immediately but wasn't. */
export function createUnpaidError(intent: PaymentIntent) {
  const details = { payment_intent: { id: intent.id, object: "payment_intent", status: intent.status } };
  if (intent.last_payment_error) {
    const { payment_method: _card, ...error } = intent.last_payment_error;
    return cardError(error, details);
  }
  const message =
    "Payment for this subscription requires additional user action before it can be completed successfully.";
  return cardError({ type: "card_error", code: "subscription_payment_intent_requires_action", message }, details);
}

const createShape = {
  customer: required(text),
  items: required(list(group({ price: required(text), quantity: enumeration("1") }))),
  default_payment_method: text,
  default_tax_rates: list(text),
  discounts: couponsShape,
  payment_behavior: enumeration("default_incomplete", "error_if_incomplete", "allow_incomplete"),
  payment_settings: paymentSettings,
  proration_behavior: enumeration("always_invoice", "create_prorations", "none"),
  billing_mode: group({ type: required(enumeration("flexible")) }),
  collection_method: enumeration("charge_automatically"),
  cancel_at_period_end: flag,
  off_session: flag,
  description: text,
  metadata,
};

/** Routes that create and return subscriptions. */
export const subscriptionRoutes = [
  defineRoute("POST", "/v1/subscriptions", createShape, async (tx, { params }) => {
    const customer = await tx.get("customer", params.customer, "customer");
    const [requested, ...more] = params.items;
    if (!requested || more.length > 0)
      throw invalid("The simulator supports subscriptions with exactly one item.", "items");
    const price = await getActivePrice(tx, requested.price, "items[0][price]");
    if (params.default_payment_method)
      await getAttachedPaymentMethod(tx, params.default_payment_method, customer.id, "default_payment_method");
    const now = await tx.now(customer.id);
    const period = { start: now, end: getPeriodEndAfter(now, now, price.recurring) };
    const id = createId("sub");
    const itemId = createId("si");
    const owner = { customer: customer.id, subscription: id, currency: price.currency };
    const couponDiscounts = await createCouponDiscounts(tx, params.discounts ?? [], owner);
    const subscription = tx.save<Subscription>({
      id,
      object: "subscription",
      created: now,
      livemode: false,
      metadata: params.metadata ?? {},
      billing_cycle_anchor: now,
      billing_mode: { type: "flexible", flexible: { proration_discounts: "included" } },
      cancel_at: params.cancel_at_period_end ? period.end : null,
      cancel_at_period_end: params.cancel_at_period_end ?? false,
      canceled_at: params.cancel_at_period_end ? now : null,
      cancellation_details: {
        comment: null,
        feedback: null,
        reason: params.cancel_at_period_end ? "cancellation_requested" : null,
      },
      collection_method: "charge_automatically",
      currency: price.currency,
      customer: customer.id,
      default_payment_method: params.default_payment_method ?? null,
      default_tax_rates: await findTaxRates(tx, params.default_tax_rates ?? []),
      description: params.description ?? null,
      discounts: couponDiscounts.map(({ discount }) => discount.id),
      ended_at: null,
      items: {
        object: "list",
        url: `/v1/subscription_items?subscription=${id}`,
        has_more: false,
        data: [
          {
            id: itemId,
            object: "subscription_item",
            created: now,
            livemode: false,
            metadata: {},
            current_period_start: period.start,
            current_period_end: period.end,
            discounts: [],
            price,
            quantity: 1,
            subscription: id,
            tax_rates: [],
          },
        ],
      },
      latest_invoice: null,
      payment_settings: {
        payment_method_types: params.payment_settings?.payment_method_types ?? null,
        save_default_payment_method: params.payment_settings?.save_default_payment_method ?? "off",
      },
      pause_collection: null,
      pending_setup_intent: null,
      pending_update: null,
      schedule: null,
      start_date: now,
      status: "incomplete",
      test_clock: customer.test_clock,
      trial_start: null,
      trial_end: null,
      sim: { billed: calculateBilledPeriod(price, couponDiscounts, period), pendingLines: [], pendingChange: null },
    });
    await redeemCoupons(tx, couponDiscounts);
    await tx.emit("customer.subscription.created", subscription);
    const invoice = await issueInvoice(tx, subscription, {
      reason: "subscription_create",
      lines: [await createPeriodLine(tx, price, itemId, period)],
      couponDiscounts,
      period: { start: now, end: now },
    });
    await payFirstInvoice(
      tx,
      subscription,
      invoice,
      params.payment_behavior ?? "allow_incomplete",
      params.off_session ?? false,
    );
    return subscription;
  }),
  defineGetRoute("/v1/subscriptions", "subscription"),
  defineRoute(
    "GET",
    "/v1/subscriptions",
    {
      customer: text,
      price: text,
      status: enumeration("all", "ended", "active", "past_due", "incomplete", "incomplete_expired", "canceled"),
      collection_method: enumeration("charge_automatically"),
      test_clock: text,
      created: range,
      ...paging,
    },
    async (tx, { params }) => {
      const { customer, price, status, test_clock: clock, created } = params;
      const statusFilter = status === "all" || status === "ended" ? undefined : status;
      const where = { status: statusFilter, test_clock: clock, "items.data.0.price.id": price };
      const ended = { status: ["canceled", "incomplete_expired"] };
      return tx.findPage(
        "subscription",
        {
          customer,
          where,
          created,
          ...(status === undefined ? { without: ended } : {}),
          ...(status === "ended" ? { only: ended } : {}),
        },
        params,
        "/v1/subscriptions",
      );
    },
  ),
];

async function payFirstInvoice(
  tx: Transaction,
  subscription: Subscription,
  invoice: Invoice,
  behavior: "default_incomplete" | "error_if_incomplete" | "allow_incomplete",
  offSession: boolean,
): Promise<void> {
  const card = await findCard(tx, subscription);
  if (behavior === "default_incomplete") {
    await prepareInvoicePayment(tx, invoice, card);
    return;
  }
  if (!card && invoice.amount_due > 0) throw createMissingCardError();
  const collected = await collectInvoice(tx, invoice, card, { offSession });
  if (!collected.paid && behavior === "error_if_incomplete") throw createUnpaidError(collected.intent);
}
