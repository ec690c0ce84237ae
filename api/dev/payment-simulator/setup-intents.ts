import { declineError } from "./cards.ts";
import { type ChargeOptions, authenticationError, nextAction } from "./charging.ts";
import { cardError, invalid } from "./errors.ts";
import { newId, randomLetters } from "./identifiers.ts";
import type { SetupIntent } from "./provider-objects.ts";
import { flag, group, list, metadata, enumeration, range, text } from "./parameters.ts";
import { checkSecret, confirmShape } from "./payment-intents.ts";
import { attach, resolvePaymentMethod } from "./payment-methods.ts";
import { type Call, listing, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

function served(intent: SetupIntent, { byPublishableKey }: Pick<Call<never>, "byPublishableKey">): object {
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

/** Calls about setup intents, through which a card is kept without being charged. */
export const setupIntentRoutes = [
  route("POST", "/v1/setup_intents", createShape, async (tx, { params }) => {
    if (params.customer) await tx.get("customer", params.customer, "customer");
    const card = params.payment_method ? await resolvePaymentMethod(tx, params.payment_method, "payment_method") : null;
    const id = newId("seti");
    const intent = tx.save<SetupIntent>({
      id,
      object: "setup_intent",
      created: await tx.now(params.customer),
      livemode: false,
      metadata: params.metadata ?? {},
      client_secret: `${id}_secret_${randomLetters(24)}`,
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
  route(
    "GET",
    "/v1/setup_intents/:id",
    { client_secret: text },
    async (tx, call) => {
      const intent = await tx.get("setup_intent", call.id, "intent");
      checkSecret(intent, call, "setup_intent");
      return served(intent, call);
    },
    { open: true },
  ),
  listing("/v1/setup_intents", "setup_intent", { customer: text, payment_method: text, created: range }),
  route(
    "POST",
    "/v1/setup_intents/:id/confirm",
    confirmShape,
    async (tx, call) => {
      const intent = await tx.get("setup_intent", call.id, "intent");
      checkSecret(intent, call, "setup_intent");
      const answered = call.params.simulated_authentication;
      await confirm(tx, intent, call.params.payment_method, answered);
      return served(intent, call);
    },
    { open: true },
  ),
  route("POST", "/v1/setup_intents/:id/cancel", {}, async (tx, { id }) => {
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
  answered: ChargeOptions["authenticated"],
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
  const authenticated = answered ?? (intent.status === "requires_action" && !given ? "succeed" : undefined);
  const { behaviour } = card.sim;
  intent.payment_method = card.id;
  intent.next_action = null;
  tx.save(intent);
  const needsAuthentication = behaviour.does === "asks once" || behaviour.does === "asks always";
  if (needsAuthentication && authenticated === undefined) {
    intent.status = "requires_action";
    intent.next_action = nextAction;
    await tx.emit("setup_intent.requires_action", intent);
    return;
  }
  const error =
    behaviour.does === "declines"
      ? declineError(behaviour.code, behaviour.declineCode)
      : needsAuthentication && authenticated === "fail"
        ? authenticationError("setup_intent_authentication_failure")
        : null;
  if (error) {
    Object.assign(intent, { status: "requires_payment_method", payment_method: null, last_setup_error: error });
    await tx.emit("setup_intent.setup_failed", intent);
    throw cardError(error, { setup_intent: { id: intent.id, object: "setup_intent", status: intent.status } }, true);
  }
  if (intent.customer) await attach(tx, card, intent.customer);
  card.sim.setUp = true;
  tx.save(card);
  Object.assign(intent, { status: "succeeded", last_setup_error: null });
  await tx.emit("setup_intent.succeeded", intent);
}
