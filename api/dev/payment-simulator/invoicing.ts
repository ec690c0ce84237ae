import type { BillingReason, Invoice, LineSeed, Subscription } from "./billing-objects.ts";
import { removeUsedDiscounts, type CouponDiscount } from "./discounts.ts";
import { createId } from "./identifiers.ts";
import { calculateInvoice } from "./invoice-sums.ts";
import type { Customer, TaxRate } from "./provider-objects.ts";
import type { Transaction } from "./transaction.ts";

/** Contents of an invoice or a preview. */
export interface InvoicePlan {
  readonly reason: BillingReason;
  readonly customer: Customer | null;
  readonly subscription: Pick<Subscription, "id" | "metadata"> | null;
  readonly currency: string;
  readonly lines: readonly LineSeed[];
  readonly couponDiscounts: readonly CouponDiscount[];
  readonly taxRates: readonly TaxRate[];
  readonly period: { start: number; end: number };
  readonly prorationDate?: number;
}

/** Builds a draft invoice with its totals without saving it. */
export async function draftInvoice(tx: Transaction, plan: InvoicePlan): Promise<Invoice> {
  const created = await tx.now(plan.customer?.id);
  const id = createId("in");
  const startingBalance = plan.customer?.balance ?? 0;
  const { lines, ...sums } = calculateInvoice(plan.lines, {
    invoice: id,
    subscription: plan.subscription?.id ?? null,
    couponDiscounts: plan.couponDiscounts,
    taxRates: plan.taxRates,
    startingBalance,
  });
  return {
    id,
    object: "invoice",
    created,
    livemode: false,
    metadata: {},
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: sums.amount_due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: plan.reason,
    collection_method: "charge_automatically",
    currency: plan.currency,
    customer: plan.customer?.id ?? null,
    customer_address: plan.customer?.address ?? null,
    customer_email: plan.customer?.email ?? null,
    customer_name: plan.customer?.name ?? null,
    default_payment_method: null,
    default_tax_rates: [...plan.taxRates],
    description: null,
    discounts: plan.couponDiscounts.map(({ discount }) => discount.id),
    due_date: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: { object: "list", url: `/v1/invoices/${id}/lines`, has_more: false, data: lines },
    next_payment_attempt: null,
    number: null,
    parent: plan.subscription && {
      type: "subscription_details",
      quote_details: null,
      subscription_details: {
        metadata: plan.subscription.metadata,
        subscription: plan.subscription.id,
        ...(plan.prorationDate === undefined ? {} : { subscription_proration_date: plan.prorationDate }),
      },
    },
    period_start: plan.period.start,
    period_end: plan.period.end,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: startingBalance,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal_excluding_tax: sums.subtotal,
    test_clock: plan.customer?.test_clock ?? null,
    total_pretax_credit_amounts: [],
    ...sums,
    sim: { intent: null, payment: null },
  };
}

/**
 * Creates and finalises an open invoice, updates the customer's balance and removes single-use discounts. Doesn't
 * charge the invoice. Unlike the simulator, the provider keeps a renewal's invoice as a draft for an hour first.
 */
export async function issueInvoice(
  tx: Transaction,
  subscription: Subscription,
  plan: Omit<InvoicePlan, "subscription" | "taxRates" | "currency" | "customer">,
): Promise<Invoice> {
  const customer = await tx.get("customer", subscription.customer);
  const { default_tax_rates: taxRates, currency } = subscription;
  const invoice = await draftInvoice(tx, { ...plan, subscription, taxRates, currency, customer });
  tx.save(invoice);
  await tx.emit("invoice.created", invoice);
  invoice.status = "open";
  invoice.status_transitions.finalized_at = invoice.created;
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, "0")}`;
  customer.next_invoice_sequence++;
  customer.currency = currency;
  const before = customer.balance;
  customer.balance = invoice.ending_balance ?? 0;
  tx.save(customer);
  if (before !== customer.balance) await tx.emit("customer.updated", customer, { balance: before });
  removeUsedDiscounts(subscription, plan.couponDiscounts);
  subscription.latest_invoice = invoice.id;
  tx.save(subscription);
  await tx.emit("invoice.finalized", invoice);
  return invoice;
}
