import { createAuthenticationError, chargeIntent } from "./charging.ts";
import { recordAttempt } from "./collecting.ts";
import { cardError, invalid, missing } from "./errors.ts";
import type { PaymentIntent, PaymentMethod } from "./provider-objects.ts";
import { flag, enumeration, range, text } from "./parameters.ts";
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

/** Routes for payment intents. Only invoices create them. */
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
      const invoice = await tx.get("invoice", intent.sim.invoice);
      const card = await resolveCard(tx, intent, given);
      // At the provider, a script completes the authentication instead of a second confirmation.
      const authenticated = authentication ?? (intent.status === "requires_action" && !given ? "succeed" : undefined);
      await chargeIntent(tx, intent, card, { offSession, authenticated });
      await recordAttempt(tx, invoice, intent);
      if (intent.status !== "requires_payment_method") return serializeIntent(intent, call);
      const { payment_method: _card, ...error } =
        intent.last_payment_error ?? createAuthenticationError("payment_intent_authentication_failure");
      throw cardError(
        error,
        { payment_intent: { id: intent.id, object: "payment_intent", status: intent.status } },
        true,
      );
    },
    { allowsPublishableKey: true },
  ),
];

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
