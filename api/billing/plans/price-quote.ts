import { GST_BASIS_POINTS } from "#schema/plan-catalogue.ts";

/** Discount of a promo code: a percentage in basis points (1,000 = 10 %), or an amount in cents. */
export type Discount =
  | { readonly kind: "percentage"; readonly basisPoints: number }
  | { readonly kind: "amount"; readonly cents: number };

/** A price in whole cents: `amount − discount = taxable`, `taxable + gst = total`. */
export interface Quote {
  readonly amountCents: number;
  readonly discountCents: number;
  /** Amount that GST is calculated on. */
  readonly taxableCents: number;
  readonly gstCents: number;
  readonly totalCents: number;
}

/** 100 % in basis points. */
export const WHOLE_BASIS_POINTS = 10_000;

/** Returns the GST rate in basis points for a country's English name: 10 % for Australia, 0 elsewhere. */
export function getGstBasisPoints(country: string): number {
  return country.trim().toLowerCase() === "australia" ? GST_BASIS_POINTS : 0;
}

/**
 * Calculates a price. The discount is subtracted from the amount without GST, and never exceeds it. GST is added to the
 * remainder. Each percentage is rounded half up, once (docs/domain.md#gst).
 * @throws RangeError if an amount isn't a non-negative whole number of cents, or a percentage isn't from 0 to 100 %.
 */
export function calculateQuote(values: {
  readonly amountCents: number;
  readonly discount: Discount | null;
  readonly gstBasisPoints: number;
}): Quote {
  const { amountCents, discount, gstBasisPoints } = values;
  assertWholeCents(amountCents);
  const discountCents = discount ? Math.min(amountCents, calculateDiscount(amountCents, discount)) : 0;
  const taxableCents = amountCents - discountCents;
  const gstCents = calculatePercentage(taxableCents, gstBasisPoints);
  return { amountCents, discountCents, taxableCents, gstCents, totalCents: taxableCents + gstCents };
}

/**
 * Returns the GST included in a total, in cents, rounded half up. At 10 % this is one eleventh.
 * @throws RangeError as {@link calculateQuote} does
 */
export function calculateIncludedGst(totalCents: number, gstBasisPoints: number): number {
  assertWholeCents(totalCents);
  calculatePercentage(0, gstBasisPoints);
  return roundHalfUp(totalCents * gstBasisPoints, WHOLE_BASIS_POINTS + gstBasisPoints);
}

function calculateDiscount(amountCents: number, discount: Discount): number {
  if (discount.kind === "percentage") return calculatePercentage(amountCents, discount.basisPoints);
  assertWholeCents(discount.cents);
  return discount.cents;
}

function calculatePercentage(cents: number, basisPoints: number): number {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > WHOLE_BASIS_POINTS)
    throw new RangeError("A percentage must be a whole number of basis points from 0 to 10,000.");
  return roundHalfUp(cents * basisPoints, WHOLE_BASIS_POINTS);
}

// Uses integers throughout, because fractions could lose half cents.
function roundHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

/** Upper limit in cents that keeps the integer arithmetic exact. No plan costs 10 million dollars. */
const MAX_CENTS = 1_000_000_000;

function assertWholeCents(cents: number): void {
  if (!Number.isInteger(cents) || cents < 0 || cents > MAX_CENTS)
    throw new RangeError("An amount must be a whole number of cents from 0 to 1,000,000,000.");
}
