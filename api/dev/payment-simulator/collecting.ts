import type { Invoice, InvoicePayment, Subscription } from "./billing-objects.ts";
import { type ChargeOptions, chargeIntent, openIntent } from "./charging.ts";
import { invalid } from "./errors.ts";
import { DAY_SECONDS } from "./dates.ts";
import type { PaymentIntent, PaymentMethod } from "./provider-objects.ts";
import { markPaid } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

/** Days from a failed payment to the next try: three tries more, then the account's setting gives up. */
const RETRY_DAYS = [3, 5, 7];

/** What came of collecting an invoice. */
export type Collected = { readonly paid: true } | { readonly paid: false; readonly intent: PaymentIntent };

/** The subscription that an invoice bills. */
export async function findInvoiceSubscription(tx: Transaction, invoice: Invoice): Promise<Subscription | null> {
  const id = invoice.parent?.subscription_details.subscription;
  return id ? tx.get("subscription", id) : null;
}

/** The card that pays an invoice when none is named: the subscription's, else the customer's. */
export async function findCard(
  tx: Transaction,
  subscription: Pick<Subscription, "customer" | "default_payment_method">,
): Promise<PaymentMethod | null> {
  const customer = await tx.get("customer", subscription.customer);
  const id = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const card = id ? await tx.find(id) : undefined;
  return card?.object === "payment_method" && card.customer === customer.id ? card : null;
}

/** The refusal of a payment that has no card to take it from. */
export function missingCardError() {
  const message =
    "This customer has no attached payment source or default payment method. Please consider adding a default payment method.";
  return invalid(message, undefined, "resource_missing");
}

/** The intent through which an open invoice is paid; null when there is nothing to pay. */
export async function prepareInvoice(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
): Promise<PaymentIntent | null> {
  if (invoice.amount_due === 0) {
    await settle(tx, invoice, null);
    return null;
  }
  return invoice.sim.intent ? tx.get("payment_intent", invoice.sim.intent) : openIntent(tx, invoice, card);
}

/** Collects an open invoice from a card. Nothing to pay is paid without one. */
export async function collect(
  tx: Transaction,
  invoice: Invoice,
  card: PaymentMethod | null,
  asking: ChargeOptions,
): Promise<Collected> {
  const intent = await prepareInvoice(tx, invoice, card);
  if (!intent) return { paid: true };
  if (card) await chargeIntent(tx, intent, card, asking);
  await recordAttempt(tx, invoice, intent);
  return intent.status === "succeeded" ? { paid: true } : { paid: false, intent };
}

/** Takes over on the invoice, and on its subscription, what came of charging its intent. */
export async function recordAttempt(tx: Transaction, invoice: Invoice, intent: PaymentIntent): Promise<void> {
  invoice.attempted = true;
  if (intent.status === "succeeded") {
    invoice.attempt_count++;
    await settle(tx, invoice, intent);
    return;
  }
  if (intent.status === "requires_action") {
    await tx.emit("invoice.payment_action_required", tx.save(invoice));
    return;
  }
  invoice.attempt_count++;
  const renewal = invoice.billing_reason === "subscription_cycle";
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  const lately = await tx.now(invoice.customer);
  invoice.next_payment_attempt = renewal && days !== undefined ? lately + days * DAY_SECONDS : null;
  await tx.emit("invoice.payment_failed", tx.save(invoice));
}

async function settle(tx: Transaction, invoice: Invoice, intent: PaymentIntent | null): Promise<void> {
  const now = await tx.now(invoice.customer);
  invoice.status = "paid";
  invoice.attempted = true;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = now;
  tx.save(invoice);
  if (intent) {
    for (const payment of await tx.all("invoice_payment", { where: { invoice: invoice.id } })) {
      const ours = payment.payment.payment_intent === intent.id;
      const paid: Partial<InvoicePayment> = { status: "paid", amount_paid: intent.amount };
      Object.assign(payment, ours ? paid : { status: "canceled" });
      payment.status_transitions[ours ? "paid_at" : "canceled_at"] = now;
      tx.save(payment);
      if (ours) await tx.emit("invoice_payment.paid", payment);
    }
  }
  await tx.emit("invoice.paid", invoice);
  await tx.emit("invoice.payment_succeeded", invoice);
  const subscription = await findInvoiceSubscription(tx, invoice);
  if (subscription) await markPaid(tx, subscription, invoice, intent);
}

/** Ends an open invoice unpaid, and the intent with it. */
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

/** Whether a renewal that just failed has no try left. */
export function isGivenUp(invoice: Invoice): boolean {
  return invoice.status === "open" && invoice.attempt_count > RETRY_DAYS.length;
}
