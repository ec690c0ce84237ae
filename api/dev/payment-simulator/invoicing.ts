import { calculateInvoice } from "./invoice-sums.ts";
import type { Coupon, Customer, Fields, Invoice, LineSeed, Subscription, TaxRate } from "./objects.ts";
import type { Transaction } from "./transaction.ts";

/** Contents of an invoice or a preview. */
export interface InvoicePlan {
  readonly reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming" | "manual";
  readonly customer: Customer | null;
  /** Id of the billed subscription. */
  readonly subscription: string | null;
  readonly currency: string;
  readonly lines: readonly LineSeed[];
  readonly coupons: readonly Coupon[];
  readonly taxRates: readonly TaxRate[];
}

/** Builds an open invoice with its totals without saving it. */
export function buildInvoice({ reason, customer, subscription, currency, ...contents }: InvoicePlan) {
  const startingBalance = customer?.balance ?? 0;
  const { lines, ...sums } = calculateInvoice(contents.lines, { ...contents, startingBalance });
  return {
    amount_paid: 0,
    amount_remaining: sums.amount_due,
    attempt_count: 0,
    billing_reason: reason,
    currency,
    customer: customer?.id ?? null,
    lines: { object: "list", url: "/v1/invoices/lines", has_more: false, data: lines },
    next_payment_attempt: null,
    parent: subscription === null ? null : { subscription_details: { subscription } },
    starting_balance: startingBalance,
    status: "open",
    status_transitions: { paid_at: null },
    test_clock: customer?.test_clock ?? null,
    ...sums,
    sim: { intent: null, payment: null },
  } satisfies Fields<Invoice>;
}

/**
 * Creates an open invoice, updates the customer's balance and removes single-use coupons. Doesn't charge the invoice.
 * Unlike the simulator, the provider keeps a renewal's invoice as a draft for an hour first.
 */
export async function issueInvoice(
  tx: Transaction,
  subscription: Subscription,
  { reason, lines, coupons = [] }: Pick<InvoicePlan, "reason" | "lines"> & Partial<Pick<InvoicePlan, "coupons">>,
): Promise<Invoice> {
  const { id, currency, default_tax_rates: taxRates, sim } = subscription;
  const customer = await tx.get("customer", subscription.customer);
  const plan = { reason, customer, subscription: id, currency, lines, coupons, taxRates };
  const invoice = await tx.create("invoice", buildInvoice(plan));
  if (customer.balance !== invoice.ending_balance) tx.save(customer, { balance: invoice.ending_balance });
  const used = new Set(coupons.filter(({ duration }) => duration === "once").map((coupon) => coupon.id));
  if (used.size > 0) sim.coupons = sim.coupons?.filter((coupon) => !used.has(coupon)) ?? [];
  tx.save(subscription, { latest_invoice: invoice.id });
  await tx.emit("invoice.created", invoice);
  await tx.emit("invoice.finalized", invoice);
  return invoice;
}
