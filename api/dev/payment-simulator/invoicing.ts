import {
  type Coupon,
  createId,
  type Fields,
  type Invoice,
  type InvoiceLine,
  type LineSeed,
  type Subscription,
  type TaxRate,
} from "./objects.ts";
import type { Transaction } from "./transaction.ts";
import { MIN_CARD_CENTS } from "#schema/money.ts";
import { calculatePercentage, getDiscount, sum } from "./cents.ts";

/** Contents of an invoice or a preview. */
interface InvoiceContents {
  readonly reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  readonly lines: readonly LineSeed[];
  /** Discount on the first period. */
  readonly coupon?: Coupon | null;
}

/** Builds an open invoice of a subscription with its totals without saving it. */
export async function buildInvoice(
  tx: Transaction,
  { id, currency, customer, default_tax_rates: taxRates }: Subscription,
  { reason, lines, coupon = null }: InvoiceContents,
) {
  const { balance } = await tx.get("customer", customer);
  const subtotal = sum(lines.map(({ amount }) => amount));
  const sums = calculateInvoice(subtotal, { coupon, taxRates, startingBalance: balance });
  return {
    amount_paid: 0,
    amount_remaining: sums.amount_due,
    attempt_count: 0,
    billing_reason: reason,
    currency,
    customer,
    lines: { object: "list", url: "/v1/invoices/lines", has_more: false, data: lines.map(buildLine) },
    next_payment_attempt: null,
    parent: { subscription_details: { subscription: id } },
    starting_balance: balance,
    status: "open",
    status_transitions: { paid_at: null },
    ...sums,
    sim: { intent: null, payment: null },
  } satisfies Fields<Invoice>;
}

/**
 * Creates an open invoice and updates the customer's balance. Doesn't charge the invoice. Unlike the simulator, the
 * provider keeps a renewal's invoice as a draft for an hour first.
 */
export async function issueInvoice(
  tx: Transaction,
  subscription: Subscription,
  contents: InvoiceContents,
): Promise<Invoice> {
  const invoice = tx.create("invoice", await buildInvoice(tx, subscription, contents));
  tx.save(await tx.get("customer", subscription.customer), { balance: invoice.ending_balance });
  tx.save(subscription, { latest_invoice: invoice.id });
  return invoice;
}

/**
 * Calculates the totals of an invoice, in cents: first the discount, then taxes, then the customer's balance. The tax at
 * each rate is rounded once for the whole invoice.
 */
export function calculateInvoice(
  subtotal: number,
  {
    coupon,
    taxRates,
    startingBalance,
  }: {
    readonly coupon: Pick<Coupon, "amount_off"> | null;
    readonly taxRates: readonly Pick<TaxRate, "percentage">[];
    readonly startingBalance: number;
  },
) {
  const discount = getDiscount(subtotal, coupon);
  const untaxed = subtotal - discount;
  const totalTaxes = taxRates.map(({ percentage }) => ({
    amount: calculatePercentage(untaxed, percentage),
    tax_behavior: "exclusive" as const,
    taxable_amount: untaxed,
  }));
  const total = untaxed + sum(totalTaxes.map(({ amount }) => amount));
  return {
    subtotal,
    total,
    total_excluding_tax: untaxed,
    total_discount_amounts: coupon ? [{ amount: discount }] : [],
    total_taxes: totalTaxes,
    ...settleBalance(total + startingBalance),
  };
}

/** Returns the amount due and the customer's new balance. An amount below the minimum is added to the next invoice. */
function settleBalance(due: number): { amount_due: number; ending_balance: number } {
  return due < MIN_CARD_CENTS ? { amount_due: 0, ending_balance: due } : { amount_due: due, ending_balance: 0 };
}

function buildLine({ amount, price, period }: LineSeed): InvoiceLine {
  return { id: createId("il"), object: "line_item", amount, period, pricing: { price_details: { price } } };
}
