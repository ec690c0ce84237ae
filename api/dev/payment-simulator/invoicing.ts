import {
  type Coupon,
  type Customer,
  type Fields,
  type Invoice,
  type LineSeed,
  type Subscription,
  type TaxRate,
  createId,
  type InvoiceLine,
  type LineTax,
} from "./objects.ts";
import type { Transaction } from "./transaction.ts";
import { MIN_CARD_CENTS } from "#schema/money.ts";
import { calculateDiscounts, calculatePercentage, divide, split, sum } from "./cents.ts";

/** Contents of an invoice or a preview. */
export interface InvoicePlan {
  readonly reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  readonly customer: Customer;
  /** Id of the billed subscription. */
  readonly subscription: string;
  readonly currency: string;
  readonly lines: readonly LineSeed[];
  readonly coupons: readonly Coupon[];
  readonly taxRates: readonly TaxRate[];
}

/** Builds an open invoice with its totals without saving it. */
export function buildInvoice({ reason, customer, subscription, currency, ...contents }: InvoicePlan) {
  const startingBalance = customer.balance;
  const { lines, ...sums } = calculateInvoice(contents.lines, { ...contents, startingBalance });
  return {
    amount_paid: 0,
    amount_remaining: sums.amount_due,
    attempt_count: 0,
    billing_reason: reason,
    currency,
    customer: customer.id,
    lines: { object: "list", url: "/v1/invoices/lines", has_more: false, data: lines },
    next_payment_attempt: null,
    parent: { subscription_details: { subscription } },
    starting_balance: startingBalance,
    status: "open",
    status_transitions: { paid_at: null },
    test_clock: customer.test_clock,
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
  { reason, lines, coupons = [] }: Pick<InvoicePlan, "reason" | "lines"> & Partial<Pick<InvoicePlan, "coupons">>,
): Promise<Invoice> {
  const { id, currency, default_tax_rates: taxRates } = subscription;
  const customer = await tx.get("customer", subscription.customer);
  const plan = { reason, customer, subscription: id, currency, lines, coupons, taxRates };
  const invoice = await tx.create("invoice", buildInvoice(plan));
  if (customer.balance !== invoice.ending_balance) tx.save(customer, { balance: invoice.ending_balance });
  tx.save(subscription, { latest_invoice: invoice.id });
  await tx.emit("invoice.created", invoice);
  await tx.emit("invoice.finalized", invoice);
  return invoice;
}

/**
 * Calculates the lines and totals of an invoice, in cents: first discounts on the discountable lines, then taxes, then the
 * customer's balance. The tax at each rate is rounded once for the whole invoice and then split over the lines. The lines
 * add up to the totals exactly.
 */
export function calculateInvoice(
  seeds: readonly LineSeed[],
  {
    coupons,
    taxRates,
    startingBalance,
  }: {
    readonly coupons: readonly Coupon[];
    readonly taxRates: readonly Pick<TaxRate, "percentage">[];
    readonly startingBalance: number;
  },
) {
  const lines = seeds.map(buildLine);
  const discounts = discountLines(lines, coupons);
  const taxable = lines.map(({ amount, discount_amounts: off }) => amount - sumAmounts(off));
  const totalTaxes = taxRates.map(({ percentage }) => {
    const parts = split(taxable, (running) => calculatePercentage(running, percentage));
    for (const [index, line] of lines.entries()) line.taxes.push(buildTax(parts[index] ?? 0, taxable[index] ?? 0));
    return buildTax(sum(parts), sum(taxable));
  });
  const untaxed = sum(taxable);
  const total = untaxed + sumAmounts(totalTaxes);
  return {
    lines,
    subtotal: sumAmounts(lines),
    total,
    total_excluding_tax: untaxed,
    total_discount_amounts: discounts,
    total_taxes: totalTaxes,
    ...settleBalance(total + startingBalance),
  };
}

/**
 * Adds discounts to the discountable lines and returns their totals. Splits each discount in proportion to what earlier
 * discounts have left of each line, so that no line goes below zero.
 */
function discountLines(lines: readonly InvoiceLine[], coupons: readonly Coupon[]): { amount: number }[] {
  const discountable = lines.filter((line) => line.discountable);
  const remaining = discountable.map((line) => line.amount);
  return calculateDiscounts(sum(remaining), coupons).map((amount) => {
    const remainingTotal = sum(remaining);
    const parts = split(remaining, (running) => (remainingTotal === 0 ? 0 : divide(amount * running, remainingTotal)));
    for (const [index, line] of discountable.entries()) {
      const part = parts[index] ?? 0;
      line.discount_amounts.push({ amount: part });
      remaining[index] = (remaining[index] ?? 0) - part;
    }
    return { amount };
  });
}

/** Returns the amount due and the customer's new balance. An amount below the minimum is added to the next invoice. */
function settleBalance(due: number): { amount_due: number; ending_balance: number } {
  return due < MIN_CARD_CENTS ? { amount_due: 0, ending_balance: due } : { amount_due: due, ending_balance: 0 };
}

function buildTax(amount: number, taxable: number): LineTax {
  return { amount, tax_behavior: "exclusive", taxable_amount: taxable };
}

function buildLine({ amount, price, period, proration }: LineSeed): InvoiceLine {
  return {
    id: createId("il"),
    object: "line_item",
    amount,
    discount_amounts: [],
    discountable: !proration && amount > 0,
    period,
    pricing: { price_details: { price } },
    taxes: [],
  };
}

function sumAmounts(parts: readonly { amount: number }[]): number {
  return sum(parts.map(({ amount }) => amount));
}
