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

/** Returns the cents that a coupon takes off an amount, at most the amount. */
export function getDiscount(amount: number, coupon: Pick<Coupon, "amount_off"> | null): number {
  return coupon ? Math.min(amount, coupon.amount_off ?? 0) : 0;
}
