import { type ChargeOptions, chargeIntent, createInvoiceIntent } from "./charging.ts";
import { DAY_SECONDS } from "./dates.ts";
import { invalid } from "./parameters.ts";
import type { Invoice, PaymentIntent, PaymentMethod, Subscription } from "./objects.ts";
import { markPaid } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

/** Days from each failed attempt to pay a renewal to the next attempt. There are no further attempts after these. */
const RETRY_DAYS = [3, 5, 7];

/** Returns the subscription that an invoice bills. */
export function getInvoiceSubscription(tx: Transaction, { parent }: Invoice): Promise<Subscription> {
  return tx.get("subscription", parent.subscription_details.subscription);
}

/**
 * Returns the default card of a subscription, or of its customer if the subscription has none; null if neither has one.
 */
export async function findCard(
  tx: Transaction,
  subscription: Pick<Subscription, "customer" | "default_payment_method">,
): Promise<PaymentMethod | null> {
  const customer = await tx.get("customer", subscription.customer);
  const id = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const card = id ? await tx.find(id) : undefined;
  return card?.object === "payment_method" && card.customer === customer.id ? card : null;
}

/** Checks that there is a card to pay an invoice, if it has to be paid. */
export function requireCard(card: PaymentMethod | null, { amount_due }: Invoice): void {
  if (!card && amount_due > 0)
    throw invalid(
      "This customer has no attached payment source or default payment method. Please consider adding a default payment method.",
      undefined,
      "resource_missing",
    );
}

/**
 * Charges an open invoice to a card. An invoice with nothing due is marked as paid without a card.
 * @returns the payment intent if the invoice wasn't paid; null if it was
 */
export async function collectInvoice(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
  options: ChargeOptions,
): Promise<PaymentIntent | null> {
  if (invoice.amount_due === 0) {
    await markInvoicePaid(tx, invoice, null);
    return null;
  }
  const { intent: id } = invoice.sim;
  const intent = id ? await tx.get("payment_intent", id) : createInvoiceIntent(tx, invoice, card);
  if (card) chargeIntent(tx, intent, card, options);
  await recordAttempt(tx, invoice, intent);
  return intent.status === "succeeded" ? null : intent;
}

/** Updates an invoice and its subscription after an attempt to charge the payment intent. */
export async function recordAttempt(tx: Transaction, invoice: Invoice, intent: PaymentIntent): Promise<void> {
  if (intent.status === "requires_action") {
    tx.emit("invoice.payment_action_required", invoice);
    return;
  }
  invoice.attempt_count++;
  if (intent.status === "succeeded") {
    await markInvoicePaid(tx, invoice, intent);
    return;
  }
  const days = invoice.billing_reason === "subscription_cycle" ? RETRY_DAYS[invoice.attempt_count - 1] : undefined;
  invoice.next_payment_attempt = days ? tx.now() + days * DAY_SECONDS : null;
  tx.emit("invoice.payment_failed", invoice);
}

async function markInvoicePaid(tx: Transaction, invoice: Invoice, intent: PaymentIntent | null): Promise<void> {
  const paid_at = tx.now();
  tx.save(invoice, {
    status: "paid",
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { paid_at },
  });
  if (intent && invoice.sim.payment) tx.save(await tx.get("invoice_payment", invoice.sim.payment), { status: "paid" });
  tx.emit("invoice.paid", invoice);
  markPaid(tx, await getInvoiceSubscription(tx, invoice), invoice);
}

/** Closes an open invoice without payment. Voiding it also cancels its payment intent. */
export async function closeInvoice(tx: Transaction, invoice: Invoice, as: "void" | "uncollectible"): Promise<void> {
  tx.save(invoice, { status: as, next_payment_attempt: null });
  if (as === "void" && invoice.sim.intent)
    tx.save(await tx.get("payment_intent", invoice.sim.intent), { status: "canceled", next_action: null });
  tx.emit(as === "void" ? "invoice.voided" : "invoice.marked_uncollectible", invoice);
}

/** Returns whether the last scheduled retry of an open invoice has failed. */
export function hasUsedAllRetries(invoice: Invoice): boolean {
  return invoice.status === "open" && invoice.attempt_count > RETRY_DAYS.length;
}
