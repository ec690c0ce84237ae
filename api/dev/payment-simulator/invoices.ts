import {
  findCard,
  closeInvoice,
  collectInvoice,
  createMissingCardError,
  findInvoiceSubscription,
} from "./collecting.ts";
import { cardError, invalid } from "./errors.ts";
import { flag, enumeration, paging, range, text } from "./parameters.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./payment-methods.ts";
import { defineListRoute, defineGetRoute, defineRoute } from "./routes.ts";

/** Routes for invoices, invoice payments and charges. */
export const invoiceRoutes = [
  defineGetRoute("/v1/invoices", "invoice"),
  defineListRoute(
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
  defineRoute("GET", "/v1/invoices/:id/lines", { ...paging }, async (tx, { id }) => {
    return structuredClone((await tx.get("invoice", id)).lines);
  }),
  defineRoute(
    "POST",
    "/v1/invoices/:id/pay",
    { payment_method: text, off_session: flag },
    async (tx, { id, params }) => {
      const invoice = await tx.get("invoice", id);
      if (invoice.status === "paid") throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
      if (invoice.status === "void")
        throw invalid("This invoice can no longer be paid", undefined, "invoice_not_editable");
      const subscription = await findInvoiceSubscription(tx, invoice);
      const card = params.payment_method
        ? await resolvePaymentMethod(tx, params.payment_method, "payment_method")
        : subscription && (await findCard(tx, subscription));
      if (!card) throw createMissingCardError();
      if (invoice.customer && !card.customer) await attachPaymentMethod(tx, card, invoice.customer);
      if (card.customer !== invoice.customer)
        throw invalid("The payment method belongs to another customer.", "payment_method");
      const collected = await collectInvoice(tx, invoice, card, { offSession: params.off_session ?? true });
      if (collected.paid) return invoice;
      const { last_payment_error: error, status } = collected.intent;
      const details = { payment_intent: { id: collected.intent.id, object: "payment_intent", status } };
      if (status === "requires_action" || !error) {
        const message = "This invoice requires additional user action before it can be paid successfully.";
        throw cardError({ type: "card_error", code: "invoice_payment_intent_requires_action", message }, details, true);
      }
      const { payment_method: _card, ...reported } = error;
      throw cardError(reported, details, true);
    },
  ),
  defineRoute("POST", "/v1/invoices/:id/void", {}, async (tx, { id }) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible")
      throw invalid(`You can only pass in open invoices. This invoice isn't open.`, undefined, "invoice_not_editable");
    await closeInvoice(tx, invoice, "void");
    return invoice;
  }),
  defineRoute("POST", "/v1/invoices/:id/mark_uncollectible", {}, async (tx, { id }) => {
    const invoice = await tx.get("invoice", id);
    if (invoice.status !== "open")
      throw invalid("You can only mark open invoices as uncollectible.", undefined, "invoice_not_editable");
    await closeInvoice(tx, invoice, "uncollectible");
    return invoice;
  }),
  defineGetRoute("/v1/invoice_payments", "invoice_payment"),
  defineListRoute("/v1/invoice_payments", "invoice_payment", {
    invoice: text,
    status: enumeration("open", "paid", "canceled"),
    created: range,
  }),
  defineGetRoute("/v1/charges", "charge"),
  defineListRoute("/v1/charges", "charge", { customer: text, payment_intent: text, created: range }),
];
