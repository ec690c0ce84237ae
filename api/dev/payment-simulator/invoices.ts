import { closeInvoice, collectInvoice, findCard, getInvoiceSubscription, requireCard } from "./collecting.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./customers.ts";
import { flag, group, intentError, invalid, list, notSimulated, type Parsed, required, text } from "./parameters.ts";
import { buildInvoice, type InvoicePlan } from "./invoicing.ts";
import { createId, type PaymentMethod } from "./objects.ts";
import { getActivePrice, planPriceChange, prorationShape } from "./price-changes.ts";
import { getRoute, listRoute, route, createdSince } from "./routes.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

const previewShape = {
  subscription: required(text),
  subscription_details: required(
    group({ items: required(list(group({ id: required(text), price: required(text) }))), ...prorationShape }),
  ),
};

/** Routes for invoices, their previews and charges. */
export const invoiceRoutes = [
  // A preview uses the same functions that create invoices.
  route("POST /v1/invoices/create_preview", previewShape, async (tx, params) => {
    const invoice = buildInvoice(await planChangeInvoice(tx, params));
    return { id: createId("upcoming_in"), object: "invoice", ...invoice, status: "draft" };
  }),
  getRoute("/v1/invoices", "invoice"),
  listRoute(
    "/v1/invoices",
    "invoice",
    { customer: text, subscription: text },
    { subscription: "parent.subscription_details.subscription" },
  ),
  route("POST /v1/invoices/:id/pay", { payment_method: text, off_session: flag }, async (tx, params, id) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status === "paid") throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
    if (invoice.status === "void") throw invalid("This invoice is void", undefined, "invoice_not_editable");
    let card: PaymentMethod | null;
    if (params.payment_method) {
      card = await resolvePaymentMethod(tx, params.payment_method);
      if (invoice.customer) await attachPaymentMethod(tx, card, invoice.customer);
    } else card = await findCard(tx, await getInvoiceSubscription(tx, invoice));
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

/** Returns the plan of the invoice of a price change. */
async function planChangeInvoice(
  tx: Transaction,
  { subscription: id, subscription_details: details }: Parsed<typeof previewShape>,
): Promise<InvoicePlan> {
  const subscription = await tx.get("subscription", id, "subscription");
  const item = getItem(subscription);
  const [requested] = details.items;
  if (!requested || requested.price === item.price.id) throw notSimulated("a preview of the next renewal");
  if (requested.id !== item.id) throw invalid("Invalid items id.", "subscription_details[items][0][id]");
  const price = await getActivePrice(tx, requested.price, "subscription_details[items][0][price]");
  const { lines } = await planPriceChange(tx, subscription, price, details);
  const { currency, default_tax_rates: taxRates } = subscription;
  const customer = await tx.get("customer", subscription.customer);
  return { reason: "upcoming", customer, subscription: id, currency, lines, coupons: [], taxRates };
}
