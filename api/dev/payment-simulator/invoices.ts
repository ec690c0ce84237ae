import { couponsShape, findCoupons } from "./catalogue.ts";
import { closeInvoice, collectInvoice, findCard, findInvoiceSubscription, requireCard } from "./collecting.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./customers.ts";
import { getPeriodEndAfter } from "./dates.ts";
import {
  enumeration,
  flag,
  group,
  intentError,
  invalid,
  list,
  notSimulated,
  type Parsed,
  required,
  text,
} from "./parameters.ts";
import { buildInvoice, type InvoicePlan } from "./invoicing.ts";
import { createId, type PaymentMethod } from "./objects.ts";
import { createPeriodLine, getActivePrice, planPriceChange, prorationShape } from "./price-changes.ts";
import { getRoute, listRoute, route, createdSince } from "./routes.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

const previewShape = {
  customer: text,
  subscription: text,
  discounts: couponsShape,
  subscription_details: group({
    items: required(list(group({ id: text, price: required(text) }))),
    default_tax_rates: list(text),
    ...prorationShape,
  }),
};

type Preview = Parsed<typeof previewShape>;

/** Routes for invoices, their previews and charges. */
export const invoiceRoutes = [
  // A preview uses the same functions that create invoices.
  route("POST /v1/invoices/create_preview", previewShape, async (tx, params) => {
    const { subscription } = params;
    const plan = subscription ? await planChangeInvoice(tx, subscription, params) : await planFirstInvoice(tx, params);
    return { id: createId("upcoming_in"), object: "invoice", ...buildInvoice(plan), status: "draft" };
  }),
  getRoute("/v1/invoices", "invoice"),
  listRoute(
    "/v1/invoices",
    "invoice",
    { customer: text, subscription: text, status: enumeration("open", "paid", "void", "uncollectible") },
    { subscription: "parent.subscription_details.subscription" },
  ),
  route("POST /v1/invoices/:id/pay", { payment_method: text, off_session: flag }, async (tx, params, id) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status === "paid") throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
    if (invoice.status === "void") throw invalid("This invoice is void", undefined, "invoice_not_editable");
    const subscription = await findInvoiceSubscription(tx, invoice);
    let card: PaymentMethod | null = null;
    if (params.payment_method) {
      card = await resolvePaymentMethod(tx, params.payment_method);
      if (invoice.customer) await attachPaymentMethod(tx, card, invoice.customer);
    } else if (subscription) card = await findCard(tx, subscription);
    requireCard(card, invoice);
    const collected = await collectInvoice(tx, invoice, card, { offSession: params.off_session ?? true });
    if (!collected.paid) throw intentError(collected.intent, { keepsChanges: true });
    return invoice;
  }),
  route("POST /v1/invoices/:id/void", {}, async (tx, _params, id) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible")
      throw invalid("You can only pass in open invoices. This invoice isn't open.", undefined, "invoice_not_editable");
    await closeInvoice(tx, invoice, "void");
    return invoice;
  }),
  getRoute("/v1/charges", "charge"),
  listRoute("/v1/charges", "charge", { customer: text, created: createdSince }),
];

/** Returns the plan of the first invoice of a subscription that doesn't exist yet. */
async function planFirstInvoice(tx: Transaction, params: Preview): Promise<InvoicePlan> {
  const { items = [], default_tax_rates: rates = [] } = params.subscription_details ?? {};
  const customer = params.customer ? await tx.get("customer", params.customer, "customer") : null;
  const price = await getActivePrice(tx, items[0]?.price ?? "", "subscription_details[items][0][price]");
  const { currency, recurring } = price;
  const start = await tx.now(customer?.id);
  return {
    reason: "upcoming",
    customer,
    subscription: null,
    currency,
    lines: [createPeriodLine(price, { start, end: getPeriodEndAfter(start, start, recurring) })],
    coupons: await findCoupons(tx, params.discounts ?? [], { customer: customer?.id ?? null, currency }),
    taxRates: await tx.getAll("tax_rate", rates, "default_tax_rates"),
  };
}

/** Returns the plan of the invoice of a price change. */
async function planChangeInvoice(
  tx: Transaction,
  id: string,
  { subscription_details: details }: Preview,
): Promise<InvoicePlan> {
  const subscription = await tx.get("subscription", id, "subscription");
  const item = getItem(subscription);
  const requested = details?.items[0];
  if (!requested || requested.price === item.price.id) throw notSimulated("a preview of the next renewal");
  if (requested.id !== item.id) throw invalid("Invalid items id.", "subscription_details[items][0][id]");
  const price = await getActivePrice(tx, requested.price, "subscription_details[items][0][price]");
  const { lines, coupons } = await planPriceChange(tx, subscription, price, details);
  const { currency, default_tax_rates: taxRates } = subscription;
  const customer = await tx.get("customer", subscription.customer);
  return { reason: "upcoming", customer, subscription: id, currency, lines, coupons, taxRates };
}
