import type { Invoice, InvoicePayment, Subscription } from "./billing-objects.ts";
import { type ChargeOptions, chargeIntent, createInvoiceIntent } from "./charging.ts";
import { invalid } from "./errors.ts";
import { DAY_SECONDS } from "./dates.ts";
import type { PaymentIntent, PaymentMethod } from "./provider-objects.ts";
import { markPaid } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

/** Days from each failed attempt to pay a renewal to the next attempt. There are no further attempts after these. */
const RETRY_DAYS = [3, 5, 7];

export type CollectionResult = { readonly paid: true } | { readonly paid: false; readonly intent: PaymentIntent };

/** Returns the subscription that an invoice bills, or null for an invoice without a subscription. */
export async function findInvoiceSubscription(tx: Transaction, invoice: Invoice): Promise<Subscription | null> {
  const id = invoice.parent?.subscription_details.subscription;
  return id ? tx.get("subscription", id) : null;
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

export function createMissingCardError() {
  const message =
    "This customer has no attached payment source or default payment method. Please consider adding a default payment method.";
  return invalid(message, undefined, "resource_missing");
}

/** Returns the payment intent of an open invoice. If nothing is due, marks the invoice as paid and returns null. */
export async function prepareInvoicePayment(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
): Promise<PaymentIntent | null> {
  if (invoice.amount_due === 0) {
    await markInvoicePaid(tx, invoice, null);
    return null;
  }
  return invoice.sim.intent ? tx.get("payment_intent", invoice.sim.intent) : createInvoiceIntent(tx, invoice, card);
}

/** Charges an open invoice to a card. An invoice with nothing due is marked as paid without a card. */
export async function collectInvoice(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
  options: ChargeOptions,
): Promise<CollectionResult> {
  const intent = await prepareInvoicePayment(tx, invoice, card);
  if (!intent) return { paid: true };
  if (card) await chargeIntent(tx, intent, card, options);
  await recordAttempt(tx, invoice, intent);
  return intent.status === "succeeded" ? { paid: true } : { paid: false, intent };
}

/** Updates an invoice and its subscription after an attempt to charge the payment intent. */
export async function recordAttempt(tx: Transaction, invoice: Invoice, intent: PaymentIntent): Promise<void> {
  invoice.attempted = true;
  if (intent.status === "succeeded") {
    invoice.attempt_count++;
    await markInvoicePaid(tx, invoice, intent);
    return;
  }
  if (intent.status === "requires_action") {
    await tx.emit("invoice.payment_action_required", tx.save(invoice));
    return;
  }
  invoice.attempt_count++;
  const renewal = invoice.billing_reason === "subscription_cycle";
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  const now = await tx.now(invoice.customer);
  invoice.next_payment_attempt = renewal && days !== undefined ? now + days * DAY_SECONDS : null;
  await tx.emit("invoice.payment_failed", tx.save(invoice));
}

async function markInvoicePaid(tx: Transaction, invoice: Invoice, intent: PaymentIntent | null): Promise<void> {
  const now = await tx.now(invoice.customer);
  invoice.status = "paid";
  invoice.attempted = true;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = now;
  tx.save(invoice);
  const payment = intent && (await findPayment(tx, invoice));
  if (payment) {
    Object.assign(payment, { status: "paid", amount_paid: intent.amount });
    payment.status_transitions.paid_at = now;
    await tx.emit("invoice_payment.paid", tx.save(payment));
  }
  await tx.emit("invoice.paid", invoice);
  await tx.emit("invoice.payment_succeeded", invoice);
  const subscription = await findInvoiceSubscription(tx, invoice);
  if (subscription) await markPaid(tx, subscription, invoice, intent);
}

/** Returns the payment of an invoice. An invoice has one payment intent, and so at most one payment. */
async function findPayment(tx: Transaction, { id, sim }: Invoice): Promise<InvoicePayment | undefined> {
  if (sim.payment) return tx.get("invoice_payment", sim.payment);
  // An invoice that an earlier version stored.
  return (await tx.findAll("invoice_payment", { where: { invoice: id } }))[0];
}

/** Closes an open invoice without payment. Voiding it also cancels its payment intent. */
export async function closeInvoice(tx: Transaction, invoice: Invoice, as: "void" | "uncollectible"): Promise<void> {
  const now = await tx.now(invoice.customer);
  invoice.status = as;
  invoice.next_payment_attempt = null;
  invoice.auto_advance = false;
  invoice.status_transitions[as === "void" ? "voided_at" : "marked_uncollectible_at"] = now;
  tx.save(invoice);
  if (as === "void" && invoice.sim.intent) {
    const intent = await tx.get("payment_intent", invoice.sim.intent);
    intent.status = "canceled";
    intent.canceled_at = now;
    intent.next_action = null;
    await tx.emit("payment_intent.canceled", tx.save(intent));
  }
  await tx.emit(as === "void" ? "invoice.voided" : "invoice.marked_uncollectible", invoice);
}

/** Returns whether the last scheduled retry of an open invoice has failed. */
export function hasUsedAllRetries(invoice: Invoice): boolean {
  return invoice.status === "open" && invoice.attempt_count > RETRY_DAYS.length;
}
