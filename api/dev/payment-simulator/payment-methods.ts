import { declineError, readCard, readToken } from "./cards.ts";
import { cardError, invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import type { PaymentMethod } from "./provider-objects.ts";
import { addressShape, clean, group, metadata, enumeration, paging, required, text, whole } from "./parameters.ts";
import { mergedMetadata, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

const billingDetails = group({ name: text, email: text, phone: text, address: addressShape });

async function create(
  tx: Transaction,
  facts: Pick<PaymentMethod, "card" | "sim">,
  more: Partial<Pick<PaymentMethod, "billing_details" | "metadata">> = {},
): Promise<PaymentMethod> {
  return tx.save<PaymentMethod>({
    id: newId("pm"),
    object: "payment_method",
    created: await tx.now(),
    livemode: false,
    type: "card",
    customer: null,
    billing_details: { name: null, email: null, phone: null, address: null },
    metadata: {},
    ...more,
    ...facts,
  });
}

/** The payment method of an id; a ready-made one (`pm_card_visa`) becomes a payment method of its own. */
export async function resolvePaymentMethod(tx: Transaction, id: string, param: string): Promise<PaymentMethod> {
  const facts = readToken(id);
  return facts ? create(tx, facts) : tx.get("payment_method", id, param);
}

/** The payment method of an id that hangs on the customer; throws when it does not. */
export async function attachedPaymentMethod(
  tx: Transaction,
  id: string,
  customer: string,
  param: string,
): Promise<PaymentMethod> {
  const found = await tx.find(id);
  if (found?.object === "payment_method" && found.customer === customer) return found;
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
  throw invalid(message, param, "resource_missing");
}

/** Hangs a card on a customer. The bank is asked, and cards that it declines are not attached. */
export async function attach(tx: Transaction, method: PaymentMethod, customer: string): Promise<void> {
  if (method.customer === customer) return;
  if (method.customer)
    throw invalid("The payment method you provided has already been attached to a customer.", "payment_method");
  const { behaviour } = method.sim;
  if (behaviour.does === "declines") throw cardError(declineError(behaviour.code, behaviour.declineCode));
  method.customer = customer;
  if (method.card.checks.cvc_check) method.card.checks.cvc_check = "pass";
  await tx.emit("payment_method.attached", tx.save(method));
}

const listed = async (
  tx: Transaction,
  customer: string,
  pages: { limit?: number; starting_after?: string },
  path: string,
) => tx.page("payment_method", { customer }, pages, path);

/** Calls about cards. */
export const paymentMethodRoutes = [
  route(
    "POST",
    "/v1/payment_methods",
    {
      type: required(enumeration("card")),
      card: required(
        group({ number: required(text), exp_month: required(whole), exp_year: required(whole), cvc: text }),
      ),
      billing_details: billingDetails,
      metadata,
    },
    async (tx, { params }) => {
      const facts = readCard(params.card, tx.surroundings.now());
      const details = clean(params.billing_details ?? {});
      return create(tx, facts, {
        metadata: params.metadata ?? {},
        billing_details: { name: null, email: null, phone: null, address: null, ...details },
      });
    },
    { open: true },
  ),
  route("GET", "/v1/payment_methods/:id", {}, async (tx, { id }) => tx.get("payment_method", id)),
  route(
    "GET",
    "/v1/payment_methods",
    { customer: required(text), type: enumeration("card"), ...paging },
    async (tx, { params }) => listed(tx, params.customer, params, "/v1/payment_methods"),
  ),
  route(
    "GET",
    "/v1/customers/:id/payment_methods",
    { type: enumeration("card"), ...paging },
    async (tx, { id, params }) => {
      await tx.get("customer", id);
      return listed(tx, id, params, `/v1/customers/${id}/payment_methods`);
    },
  ),
  route(
    "POST",
    "/v1/payment_methods/:id",
    { billing_details: billingDetails, metadata },
    async (tx, { id, params }) => {
      const method = await tx.get("payment_method", id);
      method.metadata = mergedMetadata(method.metadata, params.metadata);
      method.billing_details = { ...method.billing_details, ...clean(params.billing_details ?? {}) };
      await tx.emit("payment_method.updated", tx.save(method));
      return method;
    },
  ),
  route("POST", "/v1/payment_methods/:id/attach", { customer: required(text) }, async (tx, { id, params }) => {
    const customer = await tx.get("customer", params.customer, "customer");
    const method = await resolvePaymentMethod(tx, id, "payment_method");
    await attach(tx, method, customer.id);
    return method;
  }),
  route("POST", "/v1/payment_methods/:id/detach", {}, async (tx, { id }) => {
    const method = await tx.get("payment_method", id);
    if (!method.customer)
      throw invalid("The payment method you provided is not attached to a customer so detachment is impossible.");
    const customer = await tx.get("customer", method.customer);
    if (customer.invoice_settings.default_payment_method === id) {
      customer.invoice_settings.default_payment_method = null;
      tx.save(customer);
    }
    for (const subscription of await tx.all("subscription", { where: { default_payment_method: id } })) {
      subscription.default_payment_method = null;
      tx.save(subscription);
    }
    method.customer = null;
    await tx.emit("payment_method.detached", tx.save(method));
    return method;
  }),
];
