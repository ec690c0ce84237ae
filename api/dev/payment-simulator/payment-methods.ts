import { createDeclineError, readCard, findTestCard } from "./cards.ts";
import { cardError, invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import type { PaymentMethod } from "./provider-objects.ts";
import {
  addressShape,
  emptyToNull,
  group,
  metadata,
  enumeration,
  paging,
  required,
  text,
  integer,
} from "./parameters.ts";
import { mergeMetadata, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

const billingDetails = group({ name: text, email: text, phone: text, address: addressShape });

async function createPaymentMethod(
  tx: Transaction,
  facts: Pick<PaymentMethod, "card" | "sim">,
  more: Partial<Pick<PaymentMethod, "billing_details" | "metadata">> = {},
): Promise<PaymentMethod> {
  return tx.save<PaymentMethod>({
    id: createId("pm"),
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

/**
 * Returns a payment method by id. A predefined id such as `pm_card_visa` creates a new payment method.
 * @throws ProviderError if the payment method does not exist.
 */
export async function resolvePaymentMethod(tx: Transaction, id: string, param: string): Promise<PaymentMethod> {
  const facts = findTestCard(id);
  return facts ? createPaymentMethod(tx, facts) : tx.get("payment_method", id, param);
}

/**
 * Returns a payment method of a customer.
 * @throws ProviderError if it isn't attached to the customer.
 */
export async function getAttachedPaymentMethod(
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

/**
 * Attaches a card to a customer.
 * @throws ProviderError if the bank declines the card, or it is attached to another customer.
 */
export async function attachPaymentMethod(tx: Transaction, method: PaymentMethod, customer: string): Promise<void> {
  if (method.customer === customer) return;
  if (method.customer)
    throw invalid("The payment method you provided has already been attached to a customer.", "payment_method");
  const { behaviour } = method.sim;
  if (behaviour.does === "declines") throw cardError(createDeclineError(behaviour.code, behaviour.declineCode));
  method.customer = customer;
  if (method.card.checks.cvc_check) method.card.checks.cvc_check = "pass";
  await tx.emit("payment_method.attached", tx.save(method));
}

const listPaymentMethods = async (
  tx: Transaction,
  customer: string,
  pages: { limit?: number; starting_after?: string },
  path: string,
) => tx.findPage("payment_method", { customer }, pages, path);

export const paymentMethodRoutes = [
  defineRoute(
    "POST",
    "/v1/payment_methods",
    {
      type: required(enumeration("card")),
      card: required(
        group({ number: required(text), exp_month: required(integer), exp_year: required(integer), cvc: text }),
      ),
      billing_details: billingDetails,
      metadata,
    },
    async (tx, { params }) => {
      const facts = readCard(params.card, tx.environment.now());
      const details = emptyToNull(params.billing_details ?? {});
      return createPaymentMethod(tx, facts, {
        metadata: params.metadata ?? {},
        billing_details: { name: null, email: null, phone: null, address: null, ...details },
      });
    },
    { allowsPublishableKey: true },
  ),
  defineRoute("GET", "/v1/payment_methods/:id", {}, async (tx, { id }) => tx.get("payment_method", id)),
  defineRoute(
    "GET",
    "/v1/payment_methods",
    { customer: required(text), type: enumeration("card"), ...paging },
    async (tx, { params }) => listPaymentMethods(tx, params.customer, params, "/v1/payment_methods"),
  ),
  defineRoute(
    "GET",
    "/v1/customers/:id/payment_methods",
    { type: enumeration("card"), ...paging },
    async (tx, { id, params }) => {
      await tx.get("customer", id);
      return listPaymentMethods(tx, id, params, `/v1/customers/${id}/payment_methods`);
    },
  ),
  defineRoute(
    "POST",
    "/v1/payment_methods/:id",
    { billing_details: billingDetails, metadata },
    async (tx, { id, params }) => {
      const method = await tx.get("payment_method", id);
      method.metadata = mergeMetadata(method.metadata, params.metadata);
      method.billing_details = { ...method.billing_details, ...emptyToNull(params.billing_details ?? {}) };
      await tx.emit("payment_method.updated", tx.save(method));
      return method;
    },
  ),
  defineRoute("POST", "/v1/payment_methods/:id/attach", { customer: required(text) }, async (tx, { id, params }) => {
    const customer = await tx.get("customer", params.customer, "customer");
    const method = await resolvePaymentMethod(tx, id, "payment_method");
    await attachPaymentMethod(tx, method, customer.id);
    return method;
  }),
  defineRoute("POST", "/v1/payment_methods/:id/detach", {}, async (tx, { id }) => {
    const method = await tx.get("payment_method", id);
    if (!method.customer)
      throw invalid("The payment method you provided is not attached to a customer so detachment is impossible.");
    const customer = await tx.get("customer", method.customer);
    if (customer.invoice_settings.default_payment_method === id) {
      customer.invoice_settings.default_payment_method = null;
      tx.save(customer);
    }
    for (const subscription of await tx.findAll("subscription", { where: { default_payment_method: id } })) {
      subscription.default_payment_method = null;
      tx.save(subscription);
    }
    method.customer = null;
    await tx.emit("payment_method.detached", tx.save(method));
    return method;
  }),
];
