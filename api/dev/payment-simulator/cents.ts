import type { Coupon } from "./objects.ts";

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Divides and rounds to whole cents, with halves away from zero so that credits mirror charges. */
export function divide(numerator: number, denominator: number): number {
  const cents = Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator));
  return numerator < 0 && cents > 0 ? -cents : cents;
}

/** Calculates a percentage of an amount in cents. `percentage` is 10 for 10% and has at most four decimals. */
export function calculatePercentage(amount: number, percentage: number): number {
  return divide(amount * Math.round(percentage * 10_000), 1_000_000);
}

/**
 * Splits a total over amounts so that the parts add up to it exactly. `getTotal` returns the total for a running sum of
 * the amounts, and each part is the difference between two consecutive totals.
 */
export function split(amounts: readonly number[], getTotal: (sum: number) => number): number[] {
  let running = 0;
  let assigned = 0;
  return amounts.map((amount) => {
    running += amount;
    const part = getTotal(running) - assigned;
    assigned += part;
    return part === 0 ? 0 : part;
  });
}

/** Calculates the cents each coupon takes off an amount. They apply in order and never reduce it below zero. */
export function calculateDiscounts(amount: number, coupons: readonly Coupon[]): number[] {
  let remaining = amount;
  return coupons.map(({ percent_off: percentage, amount_off: cents }) => {
    const discount = percentage === null ? Math.min(remaining, cents ?? 0) : calculatePercentage(remaining, percentage);
    remaining -= discount;
    return discount;
  });
}

/** Calculates the price of part of a period. */
export function calculateProration(amount: number, part: number, whole: number): number {
  return divide(amount * part, whole);
}
