import { discountsShape, createReductions, runningReductions } from "./discounts.ts";
import { invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import { draftInvoice, type InvoicePlan } from "./invoicing.ts";
import { periodEndAfter } from "./dates.ts";
import { group, list, enumeration, type Parsed, text, whole } from "./parameters.ts";
import { type PlannedChange, periodLine, planChange, sellablePrice } from "./price-changes.ts";
import { route } from "./routes.ts";
import { getItem } from "./subscription-state.ts";
import { findTaxRates } from "./subscriptions.ts";
import type { Transaction } from "./transaction.ts";

const previewShape = {
  customer: text,
  subscription: text,
  currency: text,
  discounts: discountsShape,
  subscription_details: group({
    items: list(group({ id: text, price: text, quantity: enumeration("1") })),
    default_tax_rates: list(text),
    proration_behavior: enumeration("always_invoice", "create_prorations", "none"),
    proration_date: whole,
  }),
};

type Preview = Parsed<typeof previewShape>;

/** The call that tells what would be invoiced, by the very functions that invoice. */
export const previewRoutes = [
  route("POST", "/v1/invoices/create_preview", previewShape, async (tx, { params }) => {
    const plan = params.subscription
      ? await planOfExisting(tx, params.subscription, params)
      : await planOfNew(tx, params);
    const preview = await draftInvoice(tx, plan);
    return { ...preview, id: newId("upcoming_in"), amount_remaining: preview.amount_due };
  }),
];

async function planOfNew(tx: Transaction, params: Preview): Promise<InvoicePlan> {
  const [item, ...more] = params.subscription_details?.items ?? [];
  if (!item?.price || more.length > 0)
    throw invalid("A preview is of exactly one item.", "subscription_details[items]");
  const customer = params.customer ? await tx.get("customer", params.customer, "customer") : null;
  const price = await sellablePrice(tx, item.price, "subscription_details[items][0][price]");
  const now = await tx.now(customer?.id);
  const period = { start: now, end: periodEndAfter(now, now, price.recurring) };
  const owner = { customer: customer?.id ?? null, subscription: null, currency: price.currency };
  return {
    reason: "upcoming",
    customer,
    subscription: null,
    currency: price.currency,
    lines: [await periodLine(tx, price, newId("si"), period)],
    reductions: await createReductions(tx, params.discounts ?? [], owner),
    taxRates: await findTaxRates(tx, params.subscription_details?.default_tax_rates ?? []),
    period: { start: now, end: now },
  };
}

async function planOfExisting(tx: Transaction, id: string, params: Preview): Promise<InvoicePlan> {
  const subscription = await tx.get("subscription", id, "subscription");
  const customer = await tx.get("customer", subscription.customer);
  if (params.customer && params.customer !== customer.id)
    throw invalid("The subscription belongs to another customer.", "customer");
  if (params.discounts)
    throw invalid("The simulator previews changes with the subscription's own discounts.", "discounts");
  const given = params.subscription_details?.default_tax_rates;
  const { currency } = subscription;
  const taxRates = given ? await findTaxRates(tx, given) : subscription.default_tax_rates;
  const base = { reason: "upcoming", customer, subscription, currency, taxRates } as const;
  const item = getItem(subscription);
  const [wanted] = params.subscription_details?.items ?? [];
  if (wanted && wanted.id !== item.id) throw invalid("Invalid items id.", "subscription_details[items][0][id]");
  let planned: PlannedChange | null = null;
  if (wanted?.price && wanted.price !== item.price.id)
    planned = await planChange(
      tx,
      subscription,
      await sellablePrice(tx, wanted.price, "subscription_details[items][0][price]"),
      {
        behavior: params.subscription_details?.proration_behavior ?? "create_prorations",
        prorationDate: params.subscription_details?.proration_date,
      },
    );
  const waiting = subscription.sim.pendingLines;
  if (planned?.invoicedNow) {
    const { lines, reductions, prorationDate } = planned;
    const now = await tx.now(customer.id);
    return { ...base, lines: [...waiting, ...lines], reductions, prorationDate, period: { start: now, end: now } };
  }
  const price = planned ? await tx.get("price", planned.change.price) : item.price;
  const start = item.current_period_end;
  if (subscription.cancel_at_period_end)
    throw invalid("No upcoming invoices for this subscription.", undefined, "invoice_upcoming_none");
  const period = { start, end: periodEndAfter(start, subscription.billing_cycle_anchor, price.recurring) };
  return {
    ...base,
    lines: [...waiting, ...(planned?.lines ?? []), await periodLine(tx, price, item.id, period)],
    reductions: await runningReductions(tx, subscription, start),
    period: { start: item.current_period_start, end: start },
    ...(planned ? { prorationDate: planned.prorationDate } : {}),
  };
}
