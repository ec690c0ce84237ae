import { MIN_CARD_CENTS } from "#schema/money.ts";
import type { InvoiceLine, LineSeed, LineTax } from "./billing-objects.ts";
import { divide, calculatePercentage, split } from "./cents.ts";
import { type CouponDiscount, calculateDiscounts } from "./discounts.ts";
import { createId } from "./identifiers.ts";
import type { TaxRate } from "./provider-objects.ts";

/** Lines and totals of an invoice, in cents. The lines add up to the totals exactly. */
export interface InvoiceSums {
  lines: InvoiceLine[];
  subtotal: number;
  total: number;
  total_excluding_tax: number;
  total_discount_amounts: { amount: number; discount: string }[];
  total_taxes: LineTax[];
  amount_due: number;
  ending_balance: number;
}

/**
 * Calculates an invoice: first discounts on the discountable lines, then taxes, then the customer's balance. The tax at
 * each rate is rounded once for the whole invoice and then split over the lines.
 */
export function calculateInvoice(
  seeds: readonly LineSeed[],
  options: {
    invoice: string;
    subscription: string | null;
    couponDiscounts: readonly CouponDiscount[];
    taxRates: readonly TaxRate[];
    startingBalance: number;
  },
): InvoiceSums {
  const lines = seeds.map((seed) => buildLine(seed, options.invoice, options.subscription));
  const discountable = lines.filter((line) => line.discountable);
  const base = sum(discountable.map((line) => line.amount));
  const discountAmounts = calculateDiscounts(base, options.couponDiscounts);
  const discounts = options.couponDiscounts.map(({ discount }, index) => ({
    amount: discountAmounts[index] ?? 0,
    discount: discount.id,
  }));
  // Split each discount in proportion to what earlier discounts have left of each line, so that no line goes below
  // zero.
  const remaining = discountable.map((line) => line.amount);
  for (const { amount, discount } of discounts) {
    const remainingTotal = sum(remaining);
    const parts = split(remaining, (running) => (remainingTotal === 0 ? 0 : divide(amount * running, remainingTotal)));
    for (const [index, line] of discountable.entries()) {
      const part = parts[index] ?? 0;
      line.discount_amounts.push({ amount: part, discount });
      remaining[index] = (remaining[index] ?? 0) - part;
    }
  }
  const taxable = lines.map((line) => line.amount - sum(line.discount_amounts.map(({ amount }) => amount)));
  const totalTaxes = options.taxRates.map((rate) => {
    const parts = split(taxable, (running) => calculatePercentage(running, rate.percentage));
    for (const [index, line] of lines.entries())
      line.taxes.push(buildLineTax(rate, parts[index] ?? 0, taxable[index] ?? 0));
    return buildLineTax(rate, sum(parts), sum(taxable));
  });
  const untaxed = sum(taxable);
  const total = untaxed + sum(totalTaxes.map(({ amount }) => amount));
  return {
    lines,
    subtotal: sum(lines.map((line) => line.amount)),
    total,
    total_excluding_tax: untaxed,
    total_discount_amounts: discounts,
    total_taxes: totalTaxes,
    ...settleBalance(total, options.startingBalance),
  };
}

/** Applies the customer's balance to a total. An amount below the minimum is added to the next invoice. Returns the amount due and the new balance. */
function settleBalance(total: number, balance: number): { amount_due: number; ending_balance: number } {
  const due = total + balance;
  if (due <= 0 || due < MIN_CARD_CENTS) return { amount_due: 0, ending_balance: due === 0 ? 0 : due };
  return { amount_due: due, ending_balance: 0 };
}

function buildLineTax(rate: TaxRate, amount: number, taxable: number): LineTax {
  return {
    amount,
    tax_behavior: "exclusive",
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: "not_available",
    taxable_amount: taxable,
    type: "tax_rate_details",
  };
}

function buildLine(
  { amount, description, price, item, period, proration }: LineSeed,
  invoice: string,
  subscription: string | null,
): InvoiceLine {
  return {
    id: createId("il"),
    object: "line_item",
    livemode: false,
    metadata: {},
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration && amount > 0,
    discounts: [],
    invoice,
    parent: {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: item,
      },
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      type: "price_details",
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: "1",
    subscription,
    subtotal: amount,
    taxes: [],
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
