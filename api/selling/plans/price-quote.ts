/** What a promo code takes off: a share in basis points (1,000 = 10 %), or an amount in cents. */
export type Discount =
  | { readonly kind: "percentage"; readonly basisPoints: number }
  | { readonly kind: "amount"; readonly cents: number };

/** A price as it is charged, in whole cents: `amount − discount = taxable`, `taxable + gst = total`. */
export interface Quote {
  readonly amountCents: number;
  readonly discountCents: number;
  /** What GST is reckoned on. */
  readonly taxableCents: number;
  readonly gstCents: number;
  readonly totalCents: number;
}

/** 100 %. */
export const WHOLE_BASIS_POINTS = 10_000;

/** GST of Australia in basis points: 10 % (docs/domain.md#gst). */
export const GST_BASIS_POINTS = 1_000;

/** GST in basis points for customers of a country, by its English name: 10 % in Australia, none elsewhere. */
export function gstBasisPointsFor(country: string): number {
  return country.trim().toLowerCase() === "australia" ? GST_BASIS_POINTS : 0;
}

/**
 * Reckons a price: the discount comes off the amount without GST and never exceeds it, GST is added on what is left.
 * Every share is rounded half up, once (docs/domain.md#gst).
 * @throws RangeError for an amount that is not a whole number of cents from 0, or a share outside 0 to 100 %.
 */
export function quote(values: {
  readonly amountCents: number;
  readonly discount: Discount | null;
  readonly gstBasisPoints: number;
}): Quote {
  const { amountCents, discount, gstBasisPoints } = values;
  wholeCents(amountCents);
  const discountCents = discount ? Math.min(amountCents, discountOn(amountCents, discount)) : 0;
  const taxableCents = amountCents - discountCents;
  const gstCents = shareOf(taxableCents, gstBasisPoints);
  return { amountCents, discountCents, taxableCents, gstCents, totalCents: taxableCents + gstCents };
}

/**
 * The GST inside a total, in cents: what an eleventh is at 10 %. Rounded half up.
 * @throws RangeError as {@link quote}
 */
export function gstWithin(totalCents: number, gstBasisPoints: number): number {
  wholeCents(totalCents);
  shareOf(0, gstBasisPoints);
  return roundHalfUp(totalCents * gstBasisPoints, WHOLE_BASIS_POINTS + gstBasisPoints);
}

function discountOn(amountCents: number, discount: Discount): number {
  if (discount.kind === "percentage") return shareOf(amountCents, discount.basisPoints);
  wholeCents(discount.cents);
  return discount.cents;
}

function shareOf(cents: number, basisPoints: number): number {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > WHOLE_BASIS_POINTS)
    throw new RangeError("A share is a whole number of basis points from 0 to 10,000.");
  return roundHalfUp(cents * basisPoints, WHOLE_BASIS_POINTS);
}

// Whole numbers throughout: a price times a rate in fractions would lose half cents.
function roundHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

/** Above this the arithmetic in whole numbers would end; nothing costs 10 million dollars. */
const MOST_CENTS = 1_000_000_000;

function wholeCents(cents: number): void {
  if (!Number.isInteger(cents) || cents < 0 || cents > MOST_CENTS)
    throw new RangeError("An amount is a whole number of cents from 0 to 1,000,000,000.");
}
