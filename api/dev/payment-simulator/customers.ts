import { findTestCard, readCard } from "./cards.ts";
import {
  cardError,
  invalid,
  enumeration,
  group,
  integer,
  metadata,
  type Parsed,
  required,
  text,
} from "./parameters.ts";
import type { Customer, PaymentMethod } from "./objects.ts";
import { browserRoute, getRoute, listRoute, mergeMetadata, paging, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

const details = { email: text, name: text, metadata };
const updateShape = { ...details, invoice_settings: group({ default_payment_method: required(text) }) };

/** Routes for customers and their cards. */
export const customerRoutes = [
  route("POST /v1/customers", details, async (tx, params) =>
    tx.create("customer", {
      email: params.email || null,
      name: params.name || null,
      balance: 0,
      invoice_settings: { default_payment_method: null },
      metadata: params.metadata ?? {},
    }),
  ),
  getRoute("/v1/customers", "customer"),
  route("POST /v1/customers/:id", updateShape, async (tx, params, id) => updateCustomer(tx, id, params)),
  listRoute("/v1/customers", "customer", { email: text }),
  route("GET /v1/customers/:id/payment_methods", paging, async (tx, params, id) => {
    await tx.get("customer", id);
    return tx.findPage("payment_method", { where: { customer: id } }, params, `/v1/customers/${id}/payment_methods`);
  }),

  browserRoute(
    "POST /v1/payment_methods",
    {
      type: required(enumeration("card")),
      card: required(
        group({ number: required(text), exp_month: required(integer), exp_year: required(integer), cvc: text }),
      ),
    },
    async (tx, { card }) => createPaymentMethod(tx, readCard(card, tx.environment.now())),
  ),
  route("POST /v1/payment_methods/:id/attach", { customer: required(text) }, async (tx, params, id) => {
    const customer = await tx.get("customer", params.customer, "customer");
    const method = await resolvePaymentMethod(tx, id);
    await attachPaymentMethod(tx, method, customer.id);
    return method;
  }),
  route("POST /v1/payment_methods/:id/detach", {}, async (tx, _params, id) => {
    const method = await tx.get("payment_method", id);
    if (!method.customer) throw invalid("The payment method you provided is not attached to a customer.");
    const customer = await tx.get("customer", method.customer);
    if (customer.invoice_settings.default_payment_method === id)
      tx.save(customer, { invoice_settings: { default_payment_method: null } });
    for (const subscription of await tx.findAll("subscription", { customer: customer.id }))
      if (subscription.default_payment_method === id) tx.save(subscription, { default_payment_method: null });
    return tx.save(method, { customer: null });
  }),
];

async function updateCustomer(tx: Transaction, id: string, params: Parsed<typeof updateShape>): Promise<Customer> {
  const customer = await tx.get("customer", id);
  const { email, name, invoice_settings: settings } = params;
  if (email !== undefined) customer.email = email || null;
  if (name !== undefined) customer.name = name || null;
  if (settings) {
    await requireAttached(tx, settings.default_payment_method, id, "invoice_settings[default_payment_method]");
    customer.invoice_settings = settings;
  }
  return tx.save(customer, { metadata: mergeMetadata(customer.metadata, params.metadata) });
}

function createPaymentMethod(tx: Transaction, card: Pick<PaymentMethod, "card" | "sim">): PaymentMethod {
  return tx.create("payment_method", { type: "card", customer: null, ...card });
}

/**
 * Returns a payment method by id. A predefined id such as `pm_card_visa` creates a new payment method.
 * @throws ProviderError if the payment method does not exist.
 */
export async function resolvePaymentMethod(tx: Transaction, id: string): Promise<PaymentMethod> {
  const card = findTestCard(id);
  return card ? createPaymentMethod(tx, card) : tx.get("payment_method", id, "payment_method");
}

/**
 * Checks that a payment method belongs to a customer.
 * @throws ProviderError if it isn't attached to the customer.
 */
export async function requireAttached(tx: Transaction, id: string, customer: string, param: string): Promise<void> {
  const found = await tx.find(id);
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
  if (found?.object !== "payment_method" || found.customer !== customer)
    throw invalid(message, param, "resource_missing");
}

/**
 * Attaches a card to a customer.
 * @throws ProviderError if the bank declines the card, or it is attached to another customer.
 */
export async function attachPaymentMethod(tx: Transaction, method: PaymentMethod, customer: string): Promise<void> {
  if (method.customer === customer) return;
  if (method.customer) throw invalid("The payment method belongs to another customer.", "payment_method");
  const { behaviour } = method.sim;
  if (behaviour.does === "declines") throw cardError(behaviour.error);
  tx.save(method, { customer });
}
