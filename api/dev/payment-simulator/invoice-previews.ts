import { couponsShape, createCouponDiscounts, findActiveDiscounts } from "./discounts.ts";
import { invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { draftInvoice, type InvoicePlan } from "./invoicing.ts";
import { getPeriodEndAfter } from "./dates.ts";
import { group, list, enumeration, type Parsed, text, integer } from "./parameters.ts";
import { type PlannedChange, createPeriodLine, planPriceChange, getActivePrice } from "./price-changes.ts";
import { defineRoute } from "./routes.ts";
import { getItem } from "./subscription-state.ts";
import { findTaxRates } from "./subscriptions.ts";
import type { Transaction } from "./transaction.ts";

const previewShape = {
  customer: text,
  subscription: text,
  currency: text,
  discounts: couponsShape,
  subscription_details: group({
    items: list(group({ id: text, price: text, quantity: enumeration("1") })),
    default_tax_rates: list(text),
    proration_behavior: enumeration("always_invoice", "create_prorations", "none"),
    proration_date: integer,
  }),
};

type Preview = Parsed<typeof previewShape>;

/** The route for invoice previews. It uses the same functions that create invoices. */
export const previewRoutes = [
  defineRoute("POST", "/v1/invoices/create_preview", previewShape, async (tx, { params }) => {
    const plan = params.subscription
      ? await planExistingSubscription(tx, params.subscription, params)
      : await planNewSubscription(tx, params);
    const preview = await draftInvoice(tx, plan);
    return { ...preview, id: createId("upcoming_in"), amount_remaining: preview.amount_due };
  }),
];

async function planNewSubscription(tx: Transaction, params: Preview): Promise<InvoicePlan> {
  const [item, ...more] = params.subscription_details?.items ?? [];
  if (!item?.price || more.length > 0)
    throw invalid("The simulator previews invoices with exactly one item.", "subscription_details[items]");
  const customer = params.customer ? await tx.get("customer", params.customer, "customer") : null;
  const price = await getActivePrice(tx, item.price, "subscription_details[items][0][price]");
  const now = await tx.now(customer?.id);
  const period = { start: now, end: getPeriodEndAfter(now, now, price.recurring) };
  const owner = { customer: customer?.id ?? null, subscription: null, currency: price.currency };
  return {
    reason: "upcoming",
    customer,
    subscription: null,
    currency: price.currency,
    lines: [await createPeriodLine(tx, price, createId("si"), period)],
    couponDiscounts: await createCouponDiscounts(tx, params.discounts ?? [], owner),
    taxRates: await findTaxRates(tx, params.subscription_details?.default_tax_rates ?? []),
    period: { start: now, end: now },
  };
}

async function planExistingSubscription(tx: Transaction, id: string, params: Preview): Promise<InvoicePlan> {
  const subscription = await tx.get("subscription", id, "subscription");
  const customer = await tx.get("customer", subscription.customer);
  if (params.customer && params.customer !== customer.id)
    throw invalid("The subscription belongs to another customer.", "customer");
  if (params.discounts)
    throw invalid("The simulator doesn't accept discounts when it previews a change to a subscription.", "discounts");
  const given = params.subscription_details?.default_tax_rates;
  const { currency } = subscription;
  const taxRates = given ? await findTaxRates(tx, given) : subscription.default_tax_rates;
  const base = { reason: "upcoming", customer, subscription, currency, taxRates } as const;
  const item = getItem(subscription);
  const [requested] = params.subscription_details?.items ?? [];
  if (requested && requested.id !== item.id) throw invalid("Invalid items id.", "subscription_details[items][0][id]");
  let planned: PlannedChange | null = null;
  if (requested?.price && requested.price !== item.price.id)
    planned = await planPriceChange(
      tx,
      subscription,
      await getActivePrice(tx, requested.price, "subscription_details[items][0][price]"),
      {
        behavior: params.subscription_details?.proration_behavior ?? "create_prorations",
        prorationDate: params.subscription_details?.proration_date,
      },
    );
  const pendingLines = subscription.sim.pendingLines;
  if (planned?.invoicedNow) {
    const { lines, couponDiscounts, prorationDate } = planned;
    const now = await tx.now(customer.id);
    return {
      ...base,
      lines: [...pendingLines, ...lines],
      couponDiscounts,
      prorationDate,
      period: { start: now, end: now },
    };
  }
  const price = planned ? await tx.get("price", planned.change.price) : item.price;
  const start = item.current_period_end;
  if (subscription.cancel_at_period_end)
    throw invalid("No upcoming invoices for this subscription.", undefined, "invoice_upcoming_none");
  const period = { start, end: getPeriodEndAfter(start, subscription.billing_cycle_anchor, price.recurring) };
  return {
    ...base,
    lines: [...pendingLines, ...(planned?.lines ?? []), await createPeriodLine(tx, price, item.id, period)],
    couponDiscounts: await findActiveDiscounts(tx, subscription, start),
    period: { start: item.current_period_start, end: start },
    ...(planned ? { prorationDate: planned.prorationDate } : {}),
  };
}
