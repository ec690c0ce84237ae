import { MIN_CARD_CENTS } from "#schema/money.ts";
import {
  type ChargeOptions,
  chargeIntent,
  createAuthenticationError,
  createIntent,
  requiresAction,
} from "./charging.ts";
import { recordAttempt } from "./collecting.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./customers.ts";
import {
  intentError,
  invalid,
  missing,
  enumeration,
  flag,
  group,
  integer,
  metadata,
  type Parsed,
  required,
  text,
} from "./parameters.ts";
import { createId, type PaymentIntent, type PaymentMethod, prefixes, type SetupIntent } from "./objects.ts";
import { browserRoute, getRoute, listRoute, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

type Intent = PaymentIntent | SetupIntent;

/**
 * Parameters for confirming an intent. `simulated_authentication` is the result of the customer's authentication with the
 * bank. At the provider, a script completes the authentication instead.
 */
const confirmShape = {
  client_secret: required(text),
  simulated_authentication: required(enumeration("succeed", "fail")),
};

const automaticPaymentMethods = group({ enabled: flag, allow_redirects: enumeration("never") });

/** Routes for payment intents, which charge an invoice or a single amount, and setup intents, which only save a card. */
export const intentRoutes = [
  route(
    "POST /v1/payment_intents",
    {
      amount: required(integer),
      currency: required(enumeration("aud")),
      customer: required(text),
      payment_method: required(text),
      description: text,
      metadata,
      automatic_payment_methods: automaticPaymentMethods,
      confirm: required(enumeration("true")),
    },
    async (tx, { amount, currency, customer: customerId, payment_method, metadata: given = {} }) => {
      if (amount < MIN_CARD_CENTS) throw invalid("Amount must be at least 50 cents", "amount", "amount_too_small");
      const { id: customer } = await tx.get("customer", customerId, "customer");
      const card = await resolvePaymentMethod(tx, payment_method);
      if (card.customer !== null && card.customer !== customer)
        throw invalid("The payment method belongs to another customer.", "payment_method");
      const intent = createIntent(tx, { amount, currency, customer, metadata: given, sim: { invoice: null } }, card);
      chargeIntent(tx, intent, card, { offSession: false });
      if (intent.status === "requires_payment_method") throw intentError(intent, { keepsChanges: true });
      return intent;
    },
  ),
  listRoute("/v1/payment_intents", "payment_intent", { customer: text }),
  getRoute("/v1/payment_intents", "payment_intent"),
  route("POST /v1/payment_intents/:id/cancel", {}, async (tx, _params, id) => {
    const intent = await tx.get("payment_intent", id, "intent");
    requireUnfinished(intent);
    return tx.save(intent, { status: "canceled", next_action: null });
  }),
  browserRoute("POST /v1/payment_intents/:id/confirm", confirmShape, async (tx, params, id) => {
    const { intent, card, authenticated } = await readConfirmation(tx, "payment_intent", id, params);
    chargeIntent(tx, intent, card, { offSession: false, authenticated });
    if (intent.sim.invoice) await recordAttempt(tx, await tx.get("invoice", intent.sim.invoice), intent);
    if (intent.status === "requires_payment_method") throw intentError(intent, { keepsChanges: true });
    return serializeForBrowser(intent);
  }),

  route(
    "POST /v1/setup_intents",
    {
      customer: required(text),
      payment_method: required(text),
      automatic_payment_methods: automaticPaymentMethods,
      usage: enumeration("off_session"),
      confirm: required(enumeration("true")),
    },
    async (tx, { customer, payment_method }) => {
      await tx.get("customer", customer, "customer");
      const card = await resolvePaymentMethod(tx, payment_method);
      const id = createId(prefixes.setup_intent);
      const intent = tx.create("setup_intent", {
        id,
        client_secret: createId(`${id}_secret`),
        customer,
        last_setup_error: null,
        next_action: null,
        payment_method: card.id,
        status: "requires_confirmation",
      });
      await confirmSetup(tx, intent, card);
      return intent;
    },
  ),
  getRoute("/v1/setup_intents", "setup_intent"),
  browserRoute("POST /v1/setup_intents/:id/confirm", confirmShape, async (tx, params, id) => {
    const { intent, card, authenticated } = await readConfirmation(tx, "setup_intent", id, params);
    await confirmSetup(tx, intent, card, authenticated);
    return serializeForBrowser(intent);
  }),
];

/** Returns an intent as the provider sends it to a browser, which sees neither the customer nor the metadata. */
function serializeForBrowser({ customer: _customer, metadata: _metadata, ...rest }: Intent): object {
  return rest;
}

function requireUnfinished({ object, status }: Intent): void {
  if (status === "succeeded" || status === "canceled")
    throw invalid(`This intent has already ${status}.`, undefined, `${object}_unexpected_state`);
}

/**
 * Returns the intent that a browser confirms, with its card and the result of the authentication with the bank.
 * @throws ProviderError 404 if the secret is wrong, 400 if the intent can't be confirmed.
 */
async function readConfirmation<Name extends "payment_intent" | "setup_intent">(
  tx: Transaction,
  name: Name,
  id: string,
  { client_secret: secret, simulated_authentication: authenticated }: Parsed<typeof confirmShape>,
) {
  const intent = await tx.get(name, id, "intent");
  if (secret !== intent.client_secret) throw missing(name, id, "intent");
  requireUnfinished(intent);
  if (!intent.payment_method)
    throw invalid("This intent has no payment method.", undefined, `${name}_unexpected_state`);
  return { intent, card: await tx.get("payment_method", intent.payment_method), authenticated };
}

async function confirmSetup(
  tx: Transaction,
  intent: SetupIntent,
  card: PaymentMethod,
  authenticated?: ChargeOptions["authenticated"],
): Promise<void> {
  const { behaviour } = card.sim;
  tx.save(intent, { payment_method: card.id, next_action: null });
  const needsBank = behaviour.does.startsWith("requires authentication");
  if (needsBank && authenticated === undefined) {
    tx.save(intent, requiresAction);
    return;
  }
  if (behaviour.does === "declines" || (needsBank && authenticated === "fail")) {
    const error = behaviour.does === "declines" ? behaviour.error : createAuthenticationError("setup");
    tx.save(intent, { status: "requires_payment_method", payment_method: null, last_setup_error: error });
    throw intentError(intent, { keepsChanges: true });
  }
  if (intent.customer) await attachPaymentMethod(tx, card, intent.customer);
  tx.save(card, { sim: { ...card.sim, setUp: true } });
  tx.save(intent, { status: "succeeded", last_setup_error: null });
}
