import type { Invoice } from "./billing-objects.ts";
import { createDeclineError } from "./cards.ts";
import { createId, generateRandomString } from "./identifiers.ts";
import type {
  CardBehaviour,
  Charge,
  NextAction,
  PaymentError,
  PaymentIntent,
  PaymentMethod,
} from "./provider-objects.ts";
import type { Transaction } from "./transaction.ts";

export interface ChargeOptions {
  /** True if the customer is absent and can't authenticate with the bank. */
  readonly offSession: boolean;
  /** Result of the bank's authentication; undefined if it hasn't happened yet. */
  readonly authenticated?: "succeed" | "fail" | undefined;
}

/** Action the browser must take when the bank requires authentication. */
export const NEXT_ACTION: NextAction = { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect" } };

export const createAuthenticationError = (code: string): PaymentError => ({
  type: "card_error",
  code,
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
});

type ChargeOutcome = "paid" | "requires authentication" | "failed authentication" | PaymentError;

function decideOutcome(
  { behaviour, paid, setUp }: PaymentMethod["sim"],
  { offSession, authenticated }: ChargeOptions,
): ChargeOutcome {
  const authenticate = (isRequired: boolean): ChargeOutcome => {
    if (!isRequired || authenticated === "succeed") return "paid";
    if (authenticated === "fail") return "failed authentication";
    return offSession
      ? createDeclineError("authentication_required", "authentication_required")
      : "requires authentication";
  };
  const outcomes: Record<Exclude<CardBehaviour["does"], "declines">, ChargeOutcome> = {
    pays: "paid",
    disputes: "paid",
    "declines when charged": createDeclineError("card_declined", "generic_decline"),
    "pays once": paid === 0 ? "paid" : createDeclineError("card_declined", "generic_decline"),
    "requires authentication once": authenticate(!offSession || !setUp),
    "requires authentication always": authenticate(true),
  };
  if (behaviour.does === "declines") return createDeclineError(behaviour.code, behaviour.declineCode);
  return outcomes[behaviour.does];
}

/** Creates the payment intent and the invoice payment for an open invoice. */
export async function createInvoiceIntent(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
): Promise<PaymentIntent> {
  const id = createId("pi");
  const created = await tx.now(invoice.customer);
  const intent = tx.save<PaymentIntent>({
    id,
    object: "payment_intent",
    created,
    livemode: false,
    metadata: {},
    amount: invoice.amount_due,
    amount_received: 0,
    canceled_at: null,
    client_secret: `${id}_secret_${generateRandomString(24)}`,
    currency: invoice.currency,
    customer: invoice.customer,
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    payment_method: card?.id ?? null,
    payment_method_types: ["card"],
    setup_future_usage: "off_session",
    status: card ? "requires_confirmation" : "requires_payment_method",
    sim: { invoice: invoice.id },
  });
  const payment = createId("inpay");
  invoice.sim.intent = id;
  invoice.sim.payment = payment;
  tx.save(invoice);
  tx.save({
    id: payment,
    object: "invoice_payment",
    created,
    livemode: false,
    metadata: {},
    amount_paid: null,
    amount_requested: invoice.amount_due,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { type: "payment_intent", payment_intent: id },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
  await tx.emit("payment_intent.created", intent);
  return intent;
}

/** Charges a payment intent to a card and saves the outcome on the intent. */
export async function chargeIntent(
  tx: Transaction,
  intent: PaymentIntent,
  card: PaymentMethod,
  options: ChargeOptions,
): Promise<void> {
  const outcome = decideOutcome(card.sim, options);
  intent.payment_method = card.id;
  intent.next_action = null;
  tx.save(intent);
  if (outcome === "requires authentication") {
    intent.status = "requires_action";
    intent.next_action = NEXT_ACTION;
    await tx.emit("payment_intent.requires_action", intent);
    return;
  }
  if (outcome === "failed authentication" || typeof outcome === "object") {
    const error =
      typeof outcome === "object" ? outcome : createAuthenticationError("payment_intent_authentication_failure");
    const charge = typeof outcome === "object" ? await recordCharge(tx, intent, card, error) : null;
    if (charge) intent.latest_charge = charge.id;
    intent.status = "requires_payment_method";
    intent.last_payment_error = { ...error, payment_method: { id: card.id, object: "payment_method", type: "card" } };
    intent.payment_method = null;
    if (charge) await tx.emit("charge.failed", charge);
    await tx.emit("payment_intent.payment_failed", intent);
    return;
  }
  const charge = await recordCharge(tx, intent, card, null);
  card.sim.paid++;
  card.sim.setUp = true;
  tx.save(card);
  Object.assign(intent, {
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
  });
  await tx.emit("charge.succeeded", charge);
  await tx.emit("payment_intent.succeeded", intent);
}

async function recordCharge(
  tx: Transaction,
  intent: PaymentIntent,
  card: PaymentMethod,
  error: PaymentError | null,
): Promise<Charge> {
  const created = await tx.now(intent.customer);
  const customer = intent.customer ? await tx.get("customer", intent.customer) : null;
  const { brand, last4, exp_month, exp_year } = card.card;
  const disputed = !error && card.sim.behaviour.does === "disputes";
  return tx.save<Charge>({
    id: createId("ch"),
    object: "charge",
    created,
    livemode: false,
    metadata: {},
    amount: intent.amount,
    amount_captured: error ? 0 : intent.amount,
    amount_refunded: 0,
    captured: !error,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    outcome: error
      ? { network_status: "declined_by_network", reason: error.decline_code ?? error.code, type: "issuer_declined" }
      : { network_status: "approved_by_network", reason: null, type: "authorized" },
    paid: !error,
    payment_intent: intent.id,
    payment_method: card.id,
    payment_method_details: { type: "card", card: { brand, last4, exp_month, exp_year } },
    refunded: false,
    status: error ? "failed" : "succeeded",
    sim: { clock: customer?.test_clock ?? null, disputeAt: disputed ? created : null },
  });
}
