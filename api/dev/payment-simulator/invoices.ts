import { findCard, closeInvoice, collect, missingCardError, findInvoiceSubscription } from "./collecting.ts";
import { cardError, invalid } from "./errors.ts";
import { flag, enumeration, paging, range, text } from "./parameters.ts";
import { attach, resolvePaymentMethod } from "./payment-methods.ts";
import { listing, retrieval, route } from "./routes.ts";

/** Calls about invoices and their payments. */
export const invoiceRoutes = [
  retrieval("/v1/invoices", "invoice"),
  listing(
    "/v1/invoices",
    "invoice",
    {
      customer: text,
      subscription: text,
      status: enumeration("draft", "open", "paid", "void", "uncollectible"),
      collection_method: enumeration("charge_automatically"),
      created: range,
    },
    { subscription: "parent.subscription_details.subscription" },
  ),
  route("GET", "/v1/invoices/:id/lines", { ...paging }, async (tx, { id }) => {
    return structuredClone((await tx.get("invoice", id)).lines);
  }),
  route("POST", "/v1/invoices/:id/pay", { payment_method: text, off_session: flag }, async (tx, { id, params }) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status === "paid") throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
    if (invoice.status === "void")
      throw invalid("This invoice can no longer be paid", undefined, "invoice_not_editable");
    const subscription = await findInvoiceSubscription(tx, invoice);
    const card = params.payment_method
      ? await resolvePaymentMethod(tx, params.payment_method, "payment_method")
      : subscription && (await findCard(tx, subscription));
    if (!card) throw missingCardError();
    if (invoice.customer && !card.customer) await attach(tx, card, invoice.customer);
    if (card.customer !== invoice.customer)
      throw invalid("The payment method belongs to another customer.", "payment_method");
    const collected = await collect(tx, invoice, card, { offSession: params.off_session ?? true });
    if (collected.paid) return invoice;
    const { last_payment_error: error, status } = collected.intent;
    const served = { payment_intent: { id: collected.intent.id, object: "payment_intent", status } };
    if (status === "requires_action" || !error) {
      const message = "This invoice requires additional user action before it can be paid successfully.";
      throw cardError({ type: "card_error", code: "invoice_payment_intent_requires_action", message }, served, true);
    }
    const { payment_method: _card, ...said } = error;
    throw cardError(said, served, true);
  }),
  route("POST", "/v1/invoices/:id/void", {}, async (tx, { id }) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible")
      throw invalid(`You can only pass in open invoices. This invoice isn't open.`, undefined, "invoice_not_editable");
    await closeInvoice(tx, invoice, "void");
    return invoice;
  }),
  route("POST", "/v1/invoices/:id/mark_uncollectible", {}, async (tx, { id }) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status !== "open")
      throw invalid("You can only mark open invoices as uncollectible.", undefined, "invoice_not_editable");
    await closeInvoice(tx, invoice, "uncollectible");
    return invoice;
  }),
  retrieval("/v1/invoice_payments", "invoice_payment"),
  listing("/v1/invoice_payments", "invoice_payment", {
    invoice: text,
    status: enumeration("open", "paid", "canceled"),
    created: range,
  }),
  retrieval("/v1/charges", "charge"),
  listing("/v1/charges", "charge", { customer: text, payment_intent: text, created: range }),
];
