import Stripe from "stripe";
import { CardRefusedError, type Payments } from "./payments.ts";
import type { ProviderPayment } from "./provider-data.ts";
import { rejectUnusableCard } from "./stripe-errors.ts";
import { describeBankReason, getId, toDate, toFirstPayment, toProviderCard } from "./stripe-objects.ts";

/** Maximum number of a customer's payments to search for an earlier attempt. */
const MAX_PAYMENTS = 100;

/**
 * Charges a card, unless a payment with the same `paymentId` exists. The provider forgets idempotency keys after a day, so
 * the payments are read first. Errors are as `Payments.payByCard` describes.
 */
export async function payByCard(
  stripe: Stripe,
  payment: Parameters<Payments["payByCard"]>[0],
): Promise<ProviderPayment> {
  const { customerId, amountCents, description, paymentId } = payment;
  const known = await findCardPayment(stripe, { customerId, paymentId });
  if (known) return known;
  const card = payment.paymentMethodId ?? (await findSavedCard(stripe, customerId));
  if (!card) throw new CardRefusedError("You have no saved card. Enter a card.");
  try {
    const intent = await rejectUnusableCard(() =>
      stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency: "aud",
          customer: customerId,
          payment_method: card,
          description,
          metadata: { paymentId },
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          confirm: true,
        },
        { idempotencyKey: `card-payment-${paymentId}` },
      ),
    );
    return await toProviderPayment(stripe, intent);
  } catch (error) {
    // A declined card leaves a payment that can't be charged without a new confirmation.
    const declined = error instanceof Stripe.errors.StripeCardError ? getId(error.payment_intent) : null;
    if (!declined) throw error;
    return toProviderPayment(stripe, await stripe.paymentIntents.retrieve(declined));
  }
}

/** Returns the payment with a `paymentId`; null if the card wasn't charged and the bank wasn't contacted. */
export async function findCardPayment(
  stripe: Stripe,
  { customerId, paymentId }: { customerId: string; paymentId: string },
): Promise<ProviderPayment | null> {
  const { data } = await stripe.paymentIntents.list({ customer: customerId, limit: MAX_PAYMENTS });
  const intent = data.find(({ metadata }) => metadata.paymentId === paymentId);
  return intent ? toProviderPayment(stripe, intent) : null;
}

/** Cancels a payment that isn't complete. Does nothing if it was paid in the meantime. */
export async function cancelCardPayment(
  stripe: Stripe,
  payment: { customerId: string; paymentId: string },
): Promise<void> {
  const found = await findCardPayment(stripe, payment);
  if (!found || found.state === "paid" || found.state === "cancelled") return;
  try {
    await stripe.paymentIntents.cancel(found.id);
  } catch (error) {
    // It was paid or cancelled in the meantime.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** Returns the ID of the subscription's card, or else of the customer's default card. Null without a card. */
async function findSavedCard(stripe: Stripe, customerId: string): Promise<string | null> {
  const { data } = await stripe.subscriptions.list({ customer: customerId, limit: 1 });
  const card = getId(data[0]?.default_payment_method);
  if (card) return card;
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted ? null : getId(customer.invoice_settings.default_payment_method);
}

async function toProviderPayment(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ProviderPayment> {
  const base = { id: intent.id, amountCents: intent.amount };
  const nothing = { clientSecret: null, message: null, reason: null, card: null, paidAt: null };
  if (intent.status === "canceled") return { ...base, ...nothing, state: "cancelled" };
  const unfinished = toFirstPayment(intent);
  if (unfinished) {
    const { code, decline_code } = intent.last_payment_error ?? {};
    const reason = unfinished.state === "declined" ? describeBankReason(code, decline_code) : null;
    return { ...base, ...nothing, ...unfinished, reason };
  }
  const charge = await stripe.charges.retrieve(getId(intent.latest_charge) ?? "");
  const card = toProviderCard(charge.payment_method_details?.card);
  return { ...base, ...nothing, state: "paid", card, paidAt: toDate(charge.created) };
}
