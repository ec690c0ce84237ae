import type Stripe from "stripe";
import type {
  CardPreparation,
  FirstPayment,
  ProviderCard,
  ProviderInvoice,
  ProviderNotice,
  ProviderRefund,
  ProviderSubscription,
} from "./payments.ts";
import { sentenceOfDecline } from "./stripe-errors.ts";

/** The id of an object that may be given whole. */
export function idOf(given: string | { id: string } | null | undefined): string | null {
  return typeof given === "string" ? given : (given?.id ?? null);
}

/** A moment from the provider's whole seconds since 1970. */
export function moment(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** A charge with what was given back of it. */
export interface ChargeFacts {
  readonly charge: Stripe.Charge;
  readonly refunds: readonly ProviderRefund[];
  readonly dispute: ProviderInvoice["dispute"];
}

/** The provider's price that a line is for. */
export function priceOf(line: Stripe.InvoiceLineItem): string | null {
  return idOf(line.pricing?.price_details?.price);
}

/** The provider's invoice in our words; `charges` by the payment intent they belong to, `planPriceIds` by its prices. */
export function invoiceOf(
  invoice: Stripe.Invoice,
  charges: ReadonlyMap<string, ChargeFacts>,
  planPriceIds: ReadonlyMap<string, string>,
): ProviderInvoice {
  const facts = paymentIntentsOf(invoice)
    .map((id) => charges.get(id))
    .find((one) => one?.charge.paid);
  return {
    id: invoice.id,
    status: (invoice.status ?? "draft") as ProviderInvoice["status"],
    reason: reasonOf(invoice),
    createdAt: moment(invoice.created),
    paidAt: invoice.status_transitions.paid_at === null ? null : moment(invoice.status_transitions.paid_at),
    lines: invoice.lines.data.map((line) => ({
      priceId: planPriceIds.get(priceOf(line) ?? "") ?? null,
      description: line.description ?? "",
      amountCents: line.amount,
      periodStart: moment(line.period.start),
      periodEnd: moment(line.period.end),
    })),
    discountCents: sum(invoice.total_discount_amounts),
    gstCents: sum(invoice.total_taxes),
    totalCents: invoice.total,
    dueCents: invoice.amount_due,
    card: cardOf(facts?.charge.payment_method_details?.card),
    chargeId: facts?.charge.id ?? null,
    refunds: facts?.refunds ?? [],
    dispute: facts?.dispute ?? "none",
  };
}

/** The payment intents that an invoice was tried to be paid by. */
export function paymentIntentsOf(invoice: Stripe.Invoice): string[] {
  return (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
}

/** The provider's subscription in our words, with its invoices as {@link invoiceOf} gives them. */
export function subscriptionOf(
  subscription: Stripe.Subscription,
  invoices: readonly ProviderInvoice[],
  firstPayment: FirstPayment | null,
): ProviderSubscription {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`subscription ${subscription.id} has no item`);
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? "",
    status: statusOf(subscription.status),
    // The look-up key moves on when a price is replaced; the nickname stays with its subscribers.
    priceId: item.price.nickname ?? item.price.lookup_key ?? "",
    amountCents: item.price.unit_amount ?? 0,
    startedAt: moment(subscription.start_date),
    periodEnd: moment(item.current_period_end),
    endedAt: subscription.ended_at === null ? null : moment(subscription.ended_at),
    isCancelledAtPeriodEnd: subscription.cancel_at_period_end,
    nextPriceId: nextPriceOf(subscription),
    gstBasisPoints: Math.round(
      (subscription.default_tax_rates ?? []).reduce((all, rate) => all + rate.percentage, 0) * 100,
    ),
    card: cardOf(
      typeof subscription.default_payment_method === "object" ? subscription.default_payment_method?.card : undefined,
    ),
    checkoutId: subscription.metadata.checkoutId ?? null,
    userId: subscription.metadata.userId ?? null,
    invoices,
    firstPayment,
  };
}

/** What the payment of a first invoice waits for. */
export function firstPaymentOf(intent: Stripe.PaymentIntent): FirstPayment | null {
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
        : sentenceOfDecline(error?.code, error?.decline_code),
  };
}

/** A notice with the ids by which its objects are read again. */
export function noticeOf(event: Stripe.Event): ProviderNotice {
  const object = event.data.object as unknown as {
    id?: string;
    object?: string;
    customer?: string | { id: string } | null;
    charge?: string | { id: string } | null;
  };
  return {
    id: event.id,
    type: event.type,
    createdAt: moment(event.created),
    customerId: object.object === "customer" ? (object.id ?? null) : idOf(object.customer),
    chargeId: object.object === "charge" ? (object.id ?? null) : idOf(object.charge),
  };
}

/** How the preparation of a card stands. */
export function preparationOf(intent: Stripe.SetupIntent): CardPreparation {
  const error = intent.last_setup_error;
  const state =
    intent.status === "succeeded" ? "ready" : intent.status === "requires_action" ? "needs_authentication" : "refused";
  return {
    id: intent.id,
    customerId: idOf(intent.customer),
    paymentMethodId: idOf(intent.payment_method),
    state,
    clientSecret: state === "needs_authentication" ? intent.client_secret : null,
    message: state === "refused" ? sentenceOfDecline(error?.code, error?.decline_code) : null,
  };
}

/** What may be shown of a card. */
export function cardOf(
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

function statusOf(status: Stripe.Subscription.Status): ProviderSubscription["status"] {
  if (status === "active" || status === "trialing") return "active";
  if (status === "past_due" || status === "unpaid") return "past_due";
  return status === "incomplete" ? "incomplete" : "ended";
}

function reasonOf(invoice: Stripe.Invoice): ProviderInvoice["reason"] {
  if (invoice.billing_reason === "subscription_create") return "start";
  if (invoice.billing_reason === "subscription_update") return "change";
  return invoice.billing_reason === "subscription_cycle" ? "renewal" : "other";
}

/** The price of the phase after the present one, when the subscription has a schedule. */
function nextPriceOf({ schedule }: Stripe.Subscription): string | null {
  if (!schedule || typeof schedule === "string" || schedule.status !== "active") return null;
  const now = schedule.current_phase?.start_date ?? 0;
  const next = schedule.phases.find((phase) => phase.start_date > now);
  return next?.metadata?.priceId ?? null;
}

function sum(amounts: readonly { amount: number }[] | null | undefined): number {
  return (amounts ?? []).reduce((all, { amount }) => all + amount, 0);
}
