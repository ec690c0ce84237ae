import { MIN_CARD_CENTS } from "#schema/money.ts";
import { createAuthenticationError, chargeIntent } from "./charging.ts";
import { recordAttempt } from "./collecting.ts";
import { cardError, invalid, missing } from "./errors.ts";
import type { PaymentIntent, PaymentMethod } from "./provider-objects.ts";
import { generateRandomString, createId } from "./identifiers.ts";
import { flag, group, enumeration, integer, metadata, range, required, text } from "./parameters.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./payment-methods.ts";
import { type Call, defineListRoute, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Parameters for confirming a payment intent. `simulated_authentication` is the result of the customer's authentication
 * with the bank and doesn't exist at the provider. Without it, confirming an intent that requires authentication a
 * second time succeeds.
 */
export const confirmShape = {
  client_secret: text,
  payment_method: text,
  return_url: text,
  off_session: flag,
  use_stripe_sdk: flag,
  simulated_authentication: enumeration("succeed", "fail"),
};

/**
 * Checks the client secret, which is required for requests with the publishable key.
 * @throws ProviderError 404 if the secret is missing or wrong.
 */
export function checkClientSecret(
  intent: { id: string; client_secret: string },
  call: Call<{ client_secret: typeof text }>,
  what: string,
): void {
  const { client_secret: secret } = call.params;
  if (secret === undefined ? call.byPublishableKey : secret !== intent.client_secret)
    throw missing(what, intent.id, "intent");
}

function serializeIntent(intent: PaymentIntent, { byPublishableKey }: Pick<Call<never>, "byPublishableKey">): object {
  if (!byPublishableKey) return intent;
  const {
    id,
    object,
    amount,
    client_secret,
    created,
    currency,
    last_payment_error,
    livemode,
    next_action,
    payment_method,
    status,
  } = intent;
  return {
    id,
    object,
    amount,
    client_secret,
    created,
    currency,
    last_payment_error,
    livemode,
    next_action,
    payment_method,
    status,
  };
}

const createShape = {
  amount: required(integer),
  currency: required(enumeration("aud")),
  customer: required(text),
  payment_method: required(text),
  description: text,
  metadata,
  automatic_payment_methods: group({ enabled: flag, allow_redirects: enumeration("never") }),
  confirm: required(flag),
};

/** Routes for payment intents, which charge an invoice or a single amount. */
export const paymentIntentRoutes = [
  defineRoute(
    "GET",
    "/v1/payment_intents/:id",
    { client_secret: text },
    async (tx, call) => {
      const intent = await tx.get("payment_intent", call.id, "intent");
      checkClientSecret(intent, call, "payment_intent");
      return serializeIntent(intent, call);
    },
    { allowsPublishableKey: true },
  ),
  defineRoute("POST", "/v1/payment_intents", createShape, async (tx, { params }) => {
    if (params.amount < MIN_CARD_CENTS) throw invalid("Amount must be at least 50 cents", "amount", "amount_too_small");
    const customer = await tx.get("customer", params.customer, "customer");
    const card = await resolvePaymentMethod(tx, params.payment_method, "payment_method");
    if (card.customer !== null && card.customer !== customer.id)
      throw invalid("The payment method belongs to another customer.", "payment_method");
    const id = createId("pi");
    const intent = tx.save<PaymentIntent>({
      id,
      object: "payment_intent",
      created: await tx.now(customer.id),
      livemode: false,
      metadata: params.metadata ?? {},
      amount: params.amount,
      amount_received: 0,
      canceled_at: null,
      client_secret: `${id}_secret_${generateRandomString(24)}`,
      currency: params.currency,
      customer: customer.id,
      description: params.description ?? null,
      last_payment_error: null,
      latest_charge: null,
      next_action: null,
      payment_method: card.id,
      payment_method_types: ["card"],
      setup_future_usage: null,
      status: "requires_confirmation",
      sim: { invoice: null },
    });
    await tx.emit("payment_intent.created", intent);
    await chargeIntent(tx, intent, card, { offSession: false });
    if (intent.status === "requires_payment_method") throw createRefusal(intent);
    return intent;
  }),
  defineRoute("POST", "/v1/payment_intents/:id/cancel", {}, async (tx, { id }) => {
    const intent = await tx.get("payment_intent", id, "intent");
    if (intent.status === "succeeded" || intent.status === "canceled")
      throw invalid(
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        undefined,
        "payment_intent_unexpected_state",
      );
    Object.assign(intent, { status: "canceled", canceled_at: await tx.now(intent.customer), next_action: null });
    await tx.emit("payment_intent.canceled", tx.save(intent));
    return intent;
  }),
  defineListRoute("/v1/payment_intents", "payment_intent", { customer: text, created: range }),
  defineRoute(
    "POST",
    "/v1/payment_intents/:id/confirm",
    confirmShape,
    async (tx, call) => {
      const intent = await tx.get("payment_intent", call.id, "intent");
      checkClientSecret(intent, call, "payment_intent");
      const {
        payment_method: given,
        simulated_authentication: authentication,
        off_session: offSession = false,
      } = call.params;
      if (intent.status === "succeeded" || intent.status === "canceled")
        throw invalid(
          `You cannot confirm this PaymentIntent because it has already ${intent.status === "succeeded" ? "succeeded after being previously confirmed" : "been canceled"}.`,
          undefined,
          "payment_intent_unexpected_state",
        );
      const card = await resolveCard(tx, intent, given);
      // At the provider, a script completes the authentication instead of a second confirmation.
      const authenticated = authentication ?? (intent.status === "requires_action" && !given ? "succeed" : undefined);
      await chargeIntent(tx, intent, card, { offSession, authenticated });
      if (intent.sim.invoice) await recordAttempt(tx, await tx.get("invoice", intent.sim.invoice), intent);
      if (intent.status !== "requires_payment_method") return serializeIntent(intent, call);
      throw createRefusal(intent);
    },
    { allowsPublishableKey: true },
  ),
];

/** Creates the 402 error for a declined payment. The attempt stays on the intent. */
function createRefusal(intent: PaymentIntent) {
  const { payment_method: _card, ...error } =
    intent.last_payment_error ?? createAuthenticationError("payment_intent_authentication_failure");
  const details = { payment_intent: { id: intent.id, object: "payment_intent", status: intent.status } };
  return cardError(error, details, true);
}

async function resolveCard(tx: Transaction, intent: PaymentIntent, given: string | undefined): Promise<PaymentMethod> {
  const id = given ?? intent.payment_method;
  if (!id)
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
      undefined,
      "payment_intent_unexpected_state",
    );
  const card = await resolvePaymentMethod(tx, id, "payment_method");
  if (intent.customer && !card.customer && card.sim.behaviour.does !== "declines")
    await attachPaymentMethod(tx, card, intent.customer);
  if (card.customer !== null && card.customer !== intent.customer)
    throw invalid("The payment method belongs to another customer.", "payment_method");
  return card;
}
