import { createDeclineError } from "./cards.ts";
import { type ChargeOptions, createAuthenticationError, NEXT_ACTION } from "./charging.ts";
import { cardError, invalid } from "./errors.ts";
import { createId, generateRandomString } from "./identifiers.ts";
import type { SetupIntent } from "./provider-objects.ts";
import { flag, group, list, metadata, enumeration, range, text } from "./parameters.ts";
import { checkClientSecret, confirmShape } from "./payment-intents.ts";
import { attachPaymentMethod, resolvePaymentMethod } from "./payment-methods.ts";
import { type Call, defineListRoute, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

function serializeIntent(intent: SetupIntent, { byPublishableKey }: Pick<Call<never>, "byPublishableKey">): object {
  if (!byPublishableKey) return intent;
  const { id, object, client_secret, created, last_setup_error, livemode, next_action, payment_method, status, usage } =
    intent;
  return { id, object, client_secret, created, last_setup_error, livemode, next_action, payment_method, status, usage };
}

const createShape = {
  customer: text,
  payment_method: text,
  payment_method_types: list(enumeration("card")),
  automatic_payment_methods: group({ enabled: flag, allow_redirects: enumeration("never", "always") }),
  usage: enumeration("off_session", "on_session"),
  confirm: flag,
  description: text,
  return_url: text,
  metadata,
};

/** Routes for setup intents, which save a card without charging it. */
export const setupIntentRoutes = [
  defineRoute("POST", "/v1/setup_intents", createShape, async (tx, { params }) => {
    if (params.customer) await tx.get("customer", params.customer, "customer");
    const card = params.payment_method ? await resolvePaymentMethod(tx, params.payment_method, "payment_method") : null;
    const id = createId("seti");
    const intent = tx.save<SetupIntent>({
      id,
      object: "setup_intent",
      created: await tx.now(params.customer),
      livemode: false,
      metadata: params.metadata ?? {},
      client_secret: `${id}_secret_${generateRandomString(24)}`,
      customer: params.customer ?? null,
      description: params.description ?? null,
      last_setup_error: null,
      next_action: null,
      payment_method: card?.id ?? null,
      payment_method_types: ["card"],
      status: card ? "requires_confirmation" : "requires_payment_method",
      usage: params.usage ?? "off_session",
    });
    await tx.emit("setup_intent.created", intent);
    if (params.confirm) await confirm(tx, intent, undefined, undefined);
    return intent;
  }),
  defineRoute(
    "GET",
    "/v1/setup_intents/:id",
    { client_secret: text },
    async (tx, call) => {
      const intent = await tx.get("setup_intent", call.id, "intent");
      checkClientSecret(intent, call, "setup_intent");
      return serializeIntent(intent, call);
    },
    { allowsPublishableKey: true },
  ),
  defineListRoute("/v1/setup_intents", "setup_intent", { customer: text, payment_method: text, created: range }),
  defineRoute(
    "POST",
    "/v1/setup_intents/:id/confirm",
    confirmShape,
    async (tx, call) => {
      const intent = await tx.get("setup_intent", call.id, "intent");
      checkClientSecret(intent, call, "setup_intent");
      const authentication = call.params.simulated_authentication;
      await confirm(tx, intent, call.params.payment_method, authentication);
      return serializeIntent(intent, call);
    },
    { allowsPublishableKey: true },
  ),
  defineRoute("POST", "/v1/setup_intents/:id/cancel", {}, async (tx, { id }) => {
    const intent = await tx.get("setup_intent", id, "intent");
    if (intent.status === "succeeded" || intent.status === "canceled") throw unexpected(intent);
    intent.status = "canceled";
    intent.next_action = null;
    await tx.emit("setup_intent.canceled", tx.save(intent));
    return intent;
  }),
];

function unexpected(intent: SetupIntent) {
  return invalid(`This SetupIntent's status is ${intent.status}.`, undefined, "setup_intent_unexpected_state");
}

async function confirm(
  tx: Transaction,
  intent: SetupIntent,
  given: string | undefined,
  authentication: ChargeOptions["authenticated"],
): Promise<void> {
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpected(intent);
  const id = given ?? intent.payment_method;
  if (!id)
    throw invalid(
      "You cannot confirm this SetupIntent because it's missing a payment method.",
      undefined,
      "setup_intent_unexpected_state",
    );
  const card = await resolvePaymentMethod(tx, id, "payment_method");
  const authenticated = authentication ?? (intent.status === "requires_action" && !given ? "succeed" : undefined);
  const { behaviour } = card.sim;
  intent.payment_method = card.id;
  intent.next_action = null;
  tx.save(intent);
  const needsAuthentication =
    behaviour.does === "requires authentication once" || behaviour.does === "requires authentication always";
  if (needsAuthentication && authenticated === undefined) {
    intent.status = "requires_action";
    intent.next_action = NEXT_ACTION;
    await tx.emit("setup_intent.requires_action", intent);
    return;
  }
  const error =
    behaviour.does === "declines"
      ? createDeclineError(behaviour.code, behaviour.declineCode)
      : needsAuthentication && authenticated === "fail"
        ? createAuthenticationError("setup_intent_authentication_failure")
        : null;
  if (error) {
    Object.assign(intent, { status: "requires_payment_method", payment_method: null, last_setup_error: error });
    await tx.emit("setup_intent.setup_failed", intent);
    throw cardError(error, { setup_intent: { id: intent.id, object: "setup_intent", status: intent.status } }, true);
  }
  if (intent.customer) await attachPaymentMethod(tx, card, intent.customer);
  card.sim.setUp = true;
  tx.save(card);
  Object.assign(intent, { status: "succeeded", last_setup_error: null });
  await tx.emit("setup_intent.succeeded", intent);
}
