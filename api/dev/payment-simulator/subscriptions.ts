import type { Invoice, Subscription } from "./billing-objects.ts";
import { findCard, collect, missingCardError, prepareInvoice } from "./collecting.ts";
import { discountsShape, redeem, createReductions } from "./discounts.ts";
import { cardError, invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import { issueInvoice } from "./invoicing.ts";
import { periodEndAfter } from "./dates.ts";
import type { PaymentIntent, TaxRate } from "./provider-objects.ts";
import { flag, group, list, metadata, enumeration, paging, range, required, text } from "./parameters.ts";
import { attachedPaymentMethod } from "./payment-methods.ts";
import { calculateBilledTime, periodLine, sellablePrice } from "./price-changes.ts";
import { retrieval, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/** How a subscription remembers and takes cards. */
export const paymentSettings = group({
  payment_method_types: list(enumeration("card")),
  save_default_payment_method: enumeration("off", "on_subscription"),
});

/** The tax rates of the ids. */
export async function findTaxRates(
  tx: Transaction,
  ids: readonly string[],
  param = "default_tax_rates",
): Promise<TaxRate[]> {
  const rates: TaxRate[] = [];
  for (const [index, id] of ids.entries()) rates.push(await tx.get("tax_rate", id, `${param}[${index}]`));
  return rates;
}

/** The 402 of a change or start that must be paid at once and was not. */
export function unpaidError(intent: PaymentIntent) {
  const served = { payment_intent: { id: intent.id, object: "payment_intent", status: intent.status } };
  if (intent.last_payment_error) {
    const { payment_method: _card, ...error } = intent.last_payment_error;
    return cardError(error, served);
  }
  const message =
    "Payment for this subscription requires additional user action before it can be completed successfully.";
  return cardError({ type: "card_error", code: "subscription_payment_intent_requires_action", message }, served);
}

const createShape = {
  customer: required(text),
  items: required(list(group({ price: required(text), quantity: enumeration("1") }))),
  default_payment_method: text,
  default_tax_rates: list(text),
  discounts: discountsShape,
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

/** Calls that start and read subscriptions. */
export const subscriptionRoutes = [
  route("POST", "/v1/subscriptions", createShape, async (tx, { params }) => {
    const customer = await tx.get("customer", params.customer, "customer");
    const [wanted, ...more] = params.items;
    if (!wanted || more.length > 0) throw invalid("The simulator sells subscriptions of exactly one item.", "items");
    const price = await sellablePrice(tx, wanted.price, "items[0][price]");
    if (params.default_payment_method)
      await attachedPaymentMethod(tx, params.default_payment_method, customer.id, "default_payment_method");
    const now = await tx.now(customer.id);
    const period = { start: now, end: periodEndAfter(now, now, price.recurring) };
    const id = newId("sub");
    const itemId = newId("si");
    const owner = { customer: customer.id, subscription: id, currency: price.currency };
    const reductions = await createReductions(tx, params.discounts ?? [], owner);
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
      discounts: reductions.map(({ discount }) => discount.id),
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
      pending_setup_intent: null,
      pending_update: null,
      schedule: null,
      start_date: now,
      status: "incomplete",
      test_clock: customer.test_clock,
      trial_start: null,
      trial_end: null,
      sim: { billed: calculateBilledTime(price, reductions, period), pendingLines: [], pendingChange: null },
    });
    await redeem(tx, reductions);
    await tx.emit("customer.subscription.created", subscription);
    const invoice = await issueInvoice(tx, subscription, {
      reason: "subscription_create",
      lines: [await periodLine(tx, price, itemId, period)],
      reductions,
      period: { start: now, end: now },
    });
    await payFirst(
      tx,
      subscription,
      invoice,
      params.payment_behavior ?? "allow_incomplete",
      params.off_session ?? false,
    );
    return subscription;
  }),
  retrieval("/v1/subscriptions", "subscription"),
  route(
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
      const one = status === "all" || status === "ended" ? undefined : status;
      const where = { status: one, test_clock: clock, "items.data.0.price.id": price };
      const over = { status: ["canceled", "incomplete_expired"] };
      return tx.page(
        "subscription",
        {
          customer,
          where,
          created,
          ...(status === undefined ? { without: over } : {}),
          ...(status === "ended" ? { only: over } : {}),
        },
        params,
        "/v1/subscriptions",
      );
    },
  ),
];

async function payFirst(
  tx: Transaction,
  subscription: Subscription,
  invoice: Invoice,
  behavior: "default_incomplete" | "error_if_incomplete" | "allow_incomplete",
  offSession: boolean,
): Promise<void> {
  const card = await findCard(tx, subscription);
  if (behavior === "default_incomplete") {
    await prepareInvoice(tx, invoice, card);
    return;
  }
  if (!card && invoice.amount_due > 0) throw missingCardError();
  const collected = await collect(tx, invoice, card, { offSession });
  if (!collected.paid && behavior === "error_if_incomplete") throw unpaidError(collected.intent);
}
