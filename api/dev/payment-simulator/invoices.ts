import { closeInvoice, collectInvoice, findCard, getInvoiceSubscription, requireCard } from "./collecting.ts";
import { flag, group, intentError, invalid, list, notSimulated, required, text } from "./parameters.ts";
import { buildInvoice } from "./invoicing.ts";
import { createId } from "./objects.ts";
import { planPriceChange, prorationShape } from "./price-changes.ts";
import { getRoute, listRoute, route, createdSince } from "./routes.ts";
import { getItem } from "./subscription-state.ts";

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
    const { items, ...proration } = params.subscription_details;
    const subscription = await tx.get("subscription", params.subscription, "subscription");
    const item = getItem(subscription);
    const [requested] = items;
    if (!requested || requested.price === item.price.id) throw notSimulated("a preview of the next renewal");
    if (requested.id !== item.id) throw invalid("Invalid items id.", "subscription_details[items][0][id]");
    const price = await tx.get("price", requested.price, "subscription_details[items][0][price]");
    const { lines } = planPriceChange(tx, subscription, price, proration);
    const invoice = await buildInvoice(tx, subscription, { reason: "upcoming", lines });
    return { id: createId("upcoming_in"), object: "invoice", ...invoice, status: "draft" };
  }),
  getRoute("/v1/invoices", "invoice"),
  listRoute("/v1/invoices", "invoice", { customer: text }),
  route("POST /v1/invoices/:id/pay", { off_session: flag }, async (tx, params, id) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status === "paid") throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
    if (invoice.status === "void") throw invalid("This invoice is void", undefined, "invoice_not_editable");
    const card = await findCard(tx, await getInvoiceSubscription(tx, invoice));
    requireCard(card, invoice);
    const unpaid = await collectInvoice(tx, invoice, card, { offSession: params.off_session ?? true });
    if (unpaid) throw intentError(unpaid, { keepsChanges: true });
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
