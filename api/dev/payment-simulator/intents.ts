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
import { browserRoute, listRoute, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

type Intent = PaymentIntent | SetupIntent;

/**
 * Parameters for confirming an intent. `simulated_authentication` is the result of the customer's authentication with the
 * bank and doesn't exist at the provider. Without it, confirming an intent that requires authentication a second time
 * succeeds.
 */
const confirmShape = {
  client_secret: text,
  payment_method: text,
  simulated_authentication: enumeration("succeed", "fail"),
};

type Confirmation = Partial<Parsed<typeof confirmShape>>;

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
      checkOwner(card, customer);
      const intent = await createIntent(
        tx,
        { amount, currency, customer, metadata: given, sim: { invoice: null } },
        card,
      );
      await chargeIntent(tx, intent, card, { offSession: false });
      if (intent.status === "requires_payment_method") throw intentError(intent, { keepsChanges: true });
      return intent;
    },
  ),
  listRoute("/v1/payment_intents", "payment_intent", { customer: text }),
  browserRoute(
    "GET /v1/payment_intents/:id",
    { client_secret: text },
    async (tx, { client_secret: secret }, id, fromBrowser) =>
      serializeFor(fromBrowser, await getIntent(tx, "payment_intent", id, { secret, fromBrowser })),
  ),
  route("POST /v1/payment_intents/:id/cancel", {}, async (tx, _params, id) => {
    const intent = await tx.get("payment_intent", id, "intent");
    requireUnfinished(intent);
    return tx.save(intent, { status: "canceled", next_action: null });
  }),
  browserRoute("POST /v1/payment_intents/:id/confirm", confirmShape, async (tx, params, id, fromBrowser) => {
    const intent = await getIntent(tx, "payment_intent", id, { secret: params.client_secret, fromBrowser });
    await confirmPayment(tx, intent, params);
    return serializeFor(fromBrowser, intent);
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
      const intent = await tx.create("setup_intent", {
        id,
        client_secret: createId(`${id}_secret`),
        customer,
        last_setup_error: null,
        next_action: null,
        payment_method: card.id,
        status: "requires_confirmation",
      });
      await confirmSetup(tx, intent, {});
      return intent;
    },
  ),
  route("GET /v1/setup_intents/:id", {}, (tx, _params, id) => tx.get("setup_intent", id, "intent")),
  browserRoute("POST /v1/setup_intents/:id/confirm", confirmShape, async (tx, params, id, fromBrowser) => {
    const intent = await getIntent(tx, "setup_intent", id, { secret: params.client_secret, fromBrowser });
    await confirmSetup(tx, intent, params);
    return serializeFor(fromBrowser, intent);
  }),
];

/**
 * Returns an intent. A browser must send its client secret.
 * @throws ProviderError 404 if the secret is missing or wrong.
 */
async function getIntent<Name extends "payment_intent" | "setup_intent">(
  tx: Transaction,
  name: Name,
  id: string,
  { secret, fromBrowser }: { secret: string | undefined; fromBrowser: boolean },
) {
  const intent = await tx.get(name, id, "intent");
  if (secret === undefined ? fromBrowser : secret !== intent.client_secret) throw missing(name, id, "intent");
  return intent;
}

/** Returns an intent as the provider sends it to a browser, which sees neither the customer nor the metadata. */
function serializeFor(fromBrowser: boolean, intent: Intent): object {
  if (!fromBrowser) return intent;
  const { customer: _customer, metadata: _metadata, ...rest } = intent;
  return rest;
}

function requireUnfinished({ object, status }: Intent): void {
  if (status === "succeeded" || status === "canceled")
    throw invalid(`This intent has already ${status}.`, undefined, `${object}_unexpected_state`);
}

function checkOwner(card: PaymentMethod, customer: string | null): void {
  if (card.customer !== null && card.customer !== customer)
    throw invalid("The payment method belongs to another customer.", "payment_method");
}

/** Returns the card to confirm an intent with, and the result of the authentication with the bank, if it is known. */
async function readConfirmation(
  tx: Transaction,
  intent: Intent,
  { payment_method: given, simulated_authentication: result }: Confirmation,
): Promise<{ card: PaymentMethod; authenticated: ChargeOptions["authenticated"] }> {
  requireUnfinished(intent);
  const id = given ?? intent.payment_method;
  if (!id) throw invalid("This intent has no payment method.", undefined, `${intent.object}_unexpected_state`);
  // At the provider, a script completes the authentication instead of a second confirmation.
  const authenticated = result ?? (intent.status === "requires_action" && !given ? "succeed" : undefined);
  return { card: await resolvePaymentMethod(tx, id), authenticated };
}

async function confirmPayment(tx: Transaction, intent: PaymentIntent, params: Confirmation): Promise<void> {
  const { card, authenticated } = await readConfirmation(tx, intent, params);
  checkOwner(card, intent.customer);
  if (intent.customer && card.sim.behaviour.does !== "declines") await attachPaymentMethod(tx, card, intent.customer);
  await chargeIntent(tx, intent, card, { offSession: false, authenticated });
  if (intent.sim.invoice) await recordAttempt(tx, await tx.get("invoice", intent.sim.invoice), intent);
  if (intent.status === "requires_payment_method") throw intentError(intent, { keepsChanges: true });
}

async function confirmSetup(tx: Transaction, intent: SetupIntent, params: Confirmation): Promise<void> {
  const { card, authenticated } = await readConfirmation(tx, intent, params);
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
