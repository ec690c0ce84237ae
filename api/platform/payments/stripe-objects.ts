import type Stripe from "stripe";
import type { CardSetup } from "./payments.ts";
import type {
  FirstPayment,
  ProviderAttempt,
  ProviderCard,
  ProviderInvoice,
  ProviderEvent,
  ProviderRefund,
  ProviderSubscription,
} from "./provider-data.ts";
import { describeDecline } from "./stripe-errors.ts";
import { findNextPhase, getStoredPhase } from "./stripe-schedules.ts";

/**
 * Reasons of banks in words, by the provider's decline code or error code. Customers and staff read the same words, so a
 * card that was reported lost or stolen isn't named as such.
 */
const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: "Insufficient funds",
  expired_card: "The card has expired",
  incorrect_cvc: "Wrong security code",
  invalid_cvc: "Wrong security code",
  incorrect_number: "Wrong card number",
  invalid_number: "Wrong card number",
  invalid_account: "The card or its account is closed",
  card_not_supported: "The card doesn't allow this kind of payment",
  currency_not_supported: "The card doesn't allow payments in Australian dollars",
  card_velocity_exceeded: "The card's limit is reached",
  withdrawal_count_limit_exceeded: "The card's limit is reached",
  authentication_required: "The bank requires a confirmation of the payment",
  payment_intent_authentication_failure: "The payment wasn't confirmed with the bank",
  processing_error: "The bank couldn't process the payment",
  issuer_not_available: "The bank couldn't be reached",
  try_again_later: "The bank couldn't process the payment",
};

const NO_REASON = "Declined by the bank without a reason";

/** Returns the bank's reason for a failed payment in words, from the provider's code and the bank's code. */
export function describeBankReason(code: string | null | undefined, declineCode: string | null | undefined): string {
  return reasons[declineCode ?? ""] ?? reasons[code ?? ""] ?? NO_REASON;
}

/** Returns the id of an object that the provider sends either as an id or expanded. */
export function getId(given: string | { id: string } | null | undefined): string | null {
  return typeof given === "string" ? given : (given?.id ?? null);
}

/** Converts the provider's timestamp, in seconds since 1970, to a date. */
export function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** A charge with its refunds and dispute. */
export interface ChargeFacts {
  readonly charge: Stripe.Charge;
  /** All attempts to charge the same payment, oldest first. */
  readonly attempts: readonly ProviderAttempt[];
  readonly refunds: readonly ProviderRefund[];
  readonly dispute: ProviderInvoice["dispute"];
}

/** Returns the provider's id for the price of an invoice line. */
export function getPriceId(line: Stripe.InvoiceLineItem): string | null {
  return getId(line.pricing?.price_details?.price);
}

/** Converts a Stripe invoice. `charges` is keyed by payment intent, `planPriceIds` by Stripe price id. */
export function toProviderInvoice(
  invoice: Stripe.Invoice,
  charges: ReadonlyMap<string, ChargeFacts>,
  planPriceIds: ReadonlyMap<string, string>,
): ProviderInvoice {
  const known = getPaymentIntentIds(invoice).flatMap((id) => charges.get(id) ?? []);
  const facts = known.find((one) => one.charge.paid);
  return {
    id: invoice.id,
    status: (invoice.status ?? "draft") as ProviderInvoice["status"],
    reason: toReason(invoice),
    createdAt: toDate(invoice.created),
    paidAt: invoice.status_transitions.paid_at === null ? null : toDate(invoice.status_transitions.paid_at),
    lines: invoice.lines.data.map((line) => ({
      priceId: planPriceIds.get(getPriceId(line) ?? "") ?? null,
      amountCents: line.amount,
      periodStart: toDate(line.period.start),
      periodEnd: toDate(line.period.end),
    })),
    discountCents: sumAmounts(invoice.total_discount_amounts),
    gstCents: sumAmounts(invoice.total_taxes),
    totalCents: invoice.total,
    dueCents: invoice.amount_due,
    card: toProviderCard(facts?.charge.payment_method_details?.card),
    chargeId: facts?.charge.id ?? null,
    attempts: known.flatMap((one) => one.attempts).sort((a, b) => a.at.getTime() - b.at.getTime()),
    nextAttemptAt:
      invoice.status === "open" && invoice.next_payment_attempt ? toDate(invoice.next_payment_attempt) : null,
    refunds: facts?.refunds ?? [],
    dispute: facts?.dispute ?? "none",
  };
}

/** Converts a Stripe charge to an attempt to pay. */
export function toProviderAttempt(charge: Stripe.Charge): ProviderAttempt {
  return {
    id: charge.id,
    at: toDate(charge.created),
    amountCents: charge.amount,
    refundedCents: charge.amount_refunded,
    reason: charge.paid ? null : describeBankReason(charge.failure_code, charge.outcome?.reason),
    card: toProviderCard(charge.payment_method_details?.card),
  };
}

/** Returns the ids of the payment intents created for an invoice. */
export function getPaymentIntentIds(invoice: Stripe.Invoice): string[] {
  return (invoice.payments?.data ?? []).flatMap(({ payment }) => getId(payment.payment_intent) ?? []);
}

/** Converts a Stripe subscription. `invoices` must already be converted by {@link toProviderInvoice}. */
export function toProviderSubscription(
  subscription: Stripe.Subscription,
  invoices: readonly ProviderInvoice[],
  firstPayment: FirstPayment | null,
): ProviderSubscription {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`subscription ${subscription.id} has no item`);
  return {
    id: subscription.id,
    customerId: getId(subscription.customer) ?? "",
    status: toStatus(subscription.status),
    // When a price is replaced, its lookup key moves to the new price, but its nickname stays.
    priceId: item.price.nickname ?? item.price.lookup_key ?? "",
    amountCents: item.price.unit_amount ?? 0,
    startedAt: toDate(subscription.start_date),
    periodEnd: toDate(item.current_period_end),
    endedAt: subscription.ended_at === null ? null : toDate(subscription.ended_at),
    isCancelledAtPeriodEnd: subscription.cancel_at_period_end,
    pausedUntil: subscription.pause_collection?.resumes_at ? toDate(subscription.pause_collection.resumes_at) : null,
    movedUntil: subscription.trial_end ? toDate(subscription.trial_end) : null,
    nextPriceId: getNextPhase(subscription)?.priceId || null,
    nextAmountCents: getNextAmount(subscription),
    gstBasisPoints: Math.round(
      (subscription.default_tax_rates ?? []).reduce((all, rate) => all + rate.percentage, 0) * 100,
    ),
    card: toProviderCard(
      typeof subscription.default_payment_method === "object" ? subscription.default_payment_method?.card : undefined,
    ),
    checkoutId: subscription.metadata.checkoutId ?? null,
    userId: subscription.metadata.userId ?? null,
    invoices,
    firstPayment,
  };
}

/** Returns the state of a first invoice's payment; null once it has succeeded. */
export function toFirstPayment(intent: Stripe.PaymentIntent): FirstPayment | null {
  if (intent.status === "succeeded") return null;
  const error = intent.last_payment_error;
  if (intent.status === "requires_action" || intent.status === "requires_confirmation")
    return { state: "needs_authentication", clientSecret: intent.client_secret, message: null };
  if (intent.status === "processing") return { state: "processing", clientSecret: null, message: null };
  return {
    state: "declined",
    clientSecret: null,
    message:
      error?.code === "payment_intent_authentication_failure"
        ? "The payment was not confirmed with your bank."
        : describeDecline(error?.code, error?.decline_code),
  };
}

/** Extracts the ids needed to read the objects of a Stripe event again. */
export function toProviderEvent(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as unknown as {
    id?: string;
    object?: string;
    customer?: string | { id: string } | null;
    charge?: string | { id: string } | null;
  };
  return {
    id: event.id,
    type: event.type,
    createdAt: toDate(event.created),
    customerId: object.object === "customer" ? (object.id ?? null) : getId(object.customer),
    chargeId: object.object === "charge" ? (object.id ?? null) : getId(object.charge),
  };
}

/** Converts a Stripe setup intent to the state of a card setup. */
export function toCardSetup(intent: Stripe.SetupIntent): CardSetup {
  const error = intent.last_setup_error;
  const state =
    intent.status === "succeeded" ? "ready" : intent.status === "requires_action" ? "needs_authentication" : "refused";
  return {
    id: intent.id,
    customerId: getId(intent.customer),
    paymentMethodId: getId(intent.payment_method),
    state,
    clientSecret: state === "needs_authentication" ? intent.client_secret : null,
    message: state === "refused" ? describeDecline(error?.code, error?.decline_code) : null,
  };
}

/** Converts the payment of an invoice to the state of a card setup. */
export function toPaymentSetup(intent: Stripe.PaymentIntent): CardSetup {
  const unpaid = toFirstPayment(intent);
  const state = !unpaid ? "ready" : unpaid.state === "declined" ? "refused" : "needs_authentication";
  return {
    id: intent.id,
    customerId: getId(intent.customer),
    paymentMethodId: null,
    state,
    clientSecret: state === "needs_authentication" ? intent.client_secret : null,
    message: unpaid?.message ?? null,
  };
}

/** Returns the card details that are safe to show. */
export function toProviderCard(
  card:
    | { brand?: string | null; last4?: string | null; exp_month?: number | null; exp_year?: number | null }
    | null
    | undefined,
): ProviderCard | null {
  return card
    ? {
        brand: card.brand ?? "card",
        last4: card.last4 ?? "",
        expiryMonth: card.exp_month ?? 0,
        expiryYear: card.exp_year ?? 0,
      }
    : null;
}

function toStatus(status: Stripe.Subscription.Status): ProviderSubscription["status"] {
  if (status === "active" || status === "trialing") return "active";
  if (status === "past_due" || status === "unpaid") return "past_due";
  return status === "incomplete" ? "incomplete" : "ended";
}

function toReason(invoice: Stripe.Invoice): ProviderInvoice["reason"] {
  if (invoice.billing_reason === "subscription_create") return "start";
  if (invoice.billing_reason === "subscription_update") return "change";
  return invoice.billing_reason === "subscription_cycle" ? "renewal" : "other";
}

/**
 * Returns the metadata of the schedule's next phase, or of the phase that resuming a cancelled subscription restores; null
 * if there is neither.
 */
function getNextPhase({
  schedule,
  metadata,
  cancel_at_period_end: isCancelled,
}: Stripe.Subscription): Stripe.Metadata | null {
  if (!schedule || typeof schedule === "string" || schedule.status !== "active")
    return isCancelled ? (getStoredPhase(metadata)?.metadata ?? null) : null;
  return findNextPhase(schedule)?.metadata ?? null;
}

/** Returns the amount of the schedule's next phase; null if none is scheduled, or it was scheduled without an amount. */
function getNextAmount(subscription: Stripe.Subscription): number | null {
  const amount = Number(getNextPhase(subscription)?.audCents);
  return Number.isInteger(amount) ? amount : null;
}

/** Returns the sum of amounts in cents. */
export function sumAmounts(amounts: readonly { amount: number }[] | null | undefined): number {
  return (amounts ?? []).reduce((all, { amount }) => all + amount, 0);
}
