import { createDecline } from "./cards.ts";
import {
  type Charge,
  createId,
  type Invoice,
  type PaymentError,
  type PaymentIntent,
  type PaymentMethod,
  prefixes,
} from "./objects.ts";
import type { Transaction } from "./transaction.ts";

export interface ChargeOptions {
  /** True if the customer is absent and can't authenticate with the bank. */
  readonly offSession: boolean;
  /** Result of the bank's authentication; undefined if it hasn't happened yet. */
  readonly authenticated?: "succeed" | "fail" | undefined;
}

/** State of an intent whose bank requires authentication. The browser takes the action. */
export const requiresAction = { status: "requires_action", next_action: { type: "use_stripe_sdk" } } as const;

/** Creates the error for an authentication that the customer failed. */
export const createAuthenticationError = (kind: "payment" | "setup"): PaymentError => ({
  type: "card_error",
  code: `${kind}_intent_authentication_failure`,
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
});

type ChargeOutcome = "paid" | "requires authentication" | "failed authentication" | PaymentError;

function decideOutcome(
  { behaviour, paid, setUp }: PaymentMethod["sim"],
  { offSession, authenticated }: ChargeOptions,
): ChargeOutcome {
  if (behaviour.does === "declines") return behaviour.error;
  const { does } = behaviour;
  if (does === "declines when charged" || (does === "pays once" && paid > 0))
    return createDecline("card_declined", "generic_decline");
  const needsBank =
    does === "requires authentication always" || (does === "requires authentication once" && !(offSession && setUp));
  if (!needsBank) return "paid";
  if (authenticated) return authenticated === "succeed" ? "paid" : "failed authentication";
  return offSession ? createDecline("authentication_required", "authentication_required") : "requires authentication";
}

/** Creates a payment intent with its client secret. */
export function createIntent(
  tx: Transaction,
  fields: Pick<PaymentIntent, "amount" | "currency" | "customer" | "metadata" | "sim">,
  card: PaymentMethod | null,
): PaymentIntent {
  const id = createId(prefixes.payment_intent);
  return tx.create("payment_intent", {
    ...fields,
    id,
    client_secret: createId(`${id}_secret`),
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    payment_method: card?.id ?? null,
    status: card ? "requires_confirmation" : "requires_payment_method",
  });
}

/** Creates the payment intent and the invoice payment for an open invoice. */
export function createInvoiceIntent(tx: Transaction, invoice: Invoice, card: PaymentMethod | null): PaymentIntent {
  const { amount_due: amount, currency, customer } = invoice;
  const intent = createIntent(tx, { amount, currency, customer, metadata: {}, sim: { invoice: invoice.id } }, card);
  const payment = tx.create("invoice_payment", {
    invoice: invoice.id,
    payment: { type: "payment_intent", payment_intent: intent.id },
    status: "open",
  });
  tx.save(invoice, { sim: { intent: intent.id, payment: payment.id } });
  return intent;
}

/** Charges a payment intent to a card and saves the outcome on the intent. */
export function chargeIntent(
  tx: Transaction,
  intent: PaymentIntent,
  card: PaymentMethod,
  options: ChargeOptions,
): void {
  const outcome = decideOutcome(card.sim, options);
  tx.save(intent, { payment_method: card.id, next_action: null });
  if (outcome === "requires authentication") {
    tx.save(intent, requiresAction);
    return;
  }
  if (outcome === "paid") {
    const charge = recordCharge(tx, intent, card, null);
    tx.save(card, { sim: { ...card.sim, paid: card.sim.paid + 1, setUp: true } });
    tx.save(intent, { status: "succeeded", latest_charge: charge.id, last_payment_error: null });
    tx.emit("payment_intent.succeeded", intent);
    return;
  }
  const isDeclined = outcome !== "failed authentication";
  const error = isDeclined ? outcome : createAuthenticationError("payment");
  if (isDeclined) intent.latest_charge = recordCharge(tx, intent, card, error).id;
  tx.save(intent, { status: "requires_payment_method", last_payment_error: error, payment_method: null });
  tx.emit("payment_intent.payment_failed", intent);
}

function recordCharge(
  tx: Transaction,
  { id, amount, currency, customer }: PaymentIntent,
  { card, sim }: PaymentMethod,
  error: PaymentError | null,
): Charge {
  const charge = tx.create("charge", {
    amount,
    amount_refunded: 0,
    currency,
    customer,
    disputed: false,
    failure_code: error?.code ?? null,
    outcome: { reason: error?.decline_code ?? null },
    paid: !error,
    payment_intent: id,
    payment_method_details: { type: "card", card },
    refunded: false,
    status: error ? "failed" : "succeeded",
    sim: { disputeAt: null },
  });
  if (!error && sim.behaviour.does === "disputes") charge.sim.disputeAt = charge.created;
  return charge;
}
