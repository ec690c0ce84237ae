import fc from "fast-check";
import { expect, test } from "vitest";
import { planCatalogue, planIntervals } from "#schema/plan-catalogue.ts";
import {
  addGst,
  type Discount,
  getGstBasisPoints,
  calculateIncludedGst,
  calculateQuote,
} from "#api/billing/plans/price-quote.ts";

const cents = fc.oneof(
  fc.constantFrom(...planCatalogue.flatMap((plan) => planIntervals.map((interval) => plan.prices[interval].audCents))),
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.integer({ min: 0, max: 300 }),
);
const basisPoints = fc.integer({ min: 0, max: 10_000 });
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.constant(null),
  basisPoints.map((points): Discount => ({ kind: "percentage", basisPoints: points })),
  cents.map((amount): Discount => ({ kind: "amount", cents: amount })),
);
const gst = fc.oneof(fc.constantFrom(0, 1_000), basisPoints);

/** Calculates the same percentage independently, with arbitrary precision and rounding half up. */
const calculatePercentage = (amount: number, points: number) =>
  Number((BigInt(amount) * BigInt(points) + 5_000n) / 10_000n);

test("a quote adds up exactly, is never negative, and rounds each percentage half up, once", () => {
  fc.assert(
    fc.property(cents, discount, gst, (amountCents, off, gstBasisPoints) => {
      const sum = calculateQuote({ amountCents, discount: off, gstBasisPoints });
      expect(sum.amountCents).toBe(amountCents);
      expect(sum.amountCents - sum.discountCents).toBe(sum.taxableCents);
      expect(sum.taxableCents + sum.gstCents).toBe(sum.totalCents);
      expect(Object.values(sum).every(Number.isSafeInteger)).toBe(true);
      expect(Math.min(...Object.values(sum))).toBeGreaterThanOrEqual(0);
      expect(sum.gstCents).toBe(calculatePercentage(sum.taxableCents, gstBasisPoints));
      if (off?.kind === "percentage") expect(sum.discountCents).toBe(calculatePercentage(amountCents, off.basisPoints));
      if (off?.kind === "amount") expect(sum.discountCents).toBe(Math.min(off.cents, amountCents));
    }),
    { numRuns: 2_000 },
  );
});

test("a quote matches a manual calculation", () => {
  const percentage = (basisPoints: number) => ({ kind: "percentage", basisPoints }) as const;
  const amount = (off: number) => ({ kind: "amount", cents: off }) as const;
  const cases = [
    [142_400, null, [0, 14_240, 156_640]],
    [14_995, percentage(1_000), [1_500, 1_350, 14_845]],
    [14_995, percentage(10_000), [14_995, 0, 0]],
    [14_995, amount(5_000), [5_000, 1_000, 10_995]],
    [4_000, amount(5_000), [4_000, 0, 0]],
  ] as const;
  const calculated = cases.map(([amountCents, off]) => {
    const sum = calculateQuote({ amountCents, discount: off, gstBasisPoints: 1_000 });
    return [amountCents, off, [sum.discountCents, sum.gstCents, sum.totalCents]];
  });
  expect(calculated).toEqual(cases);
});

test("a quote rejects other amounts and percentages", () => {
  const quote = (amountCents: number, off: Discount | null, gstBasisPoints = 0) =>
    expect(() => calculateQuote({ amountCents, discount: off, gstBasisPoints })).toThrow(RangeError);
  for (const amount of [-1, 0.5, Number.NaN, 1_000_000_001]) {
    quote(amount, null);
    quote(1, { kind: "amount", cents: amount });
  }
  for (const points of [-1, 10_001, 0.5]) {
    quote(1, null, points);
    quote(1, { kind: "percentage", basisPoints: points });
  }
});

test("calculates the GST within a total, as in the quote", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500_000_000 }), gst, (amountCents, gstBasisPoints) => {
      const sum = calculateQuote({ amountCents, discount: null, gstBasisPoints });
      expect(addGst(amountCents, gstBasisPoints)).toBe(sum.totalCents);
      expect(Math.abs(calculateIncludedGst(sum.totalCents, gstBasisPoints) - sum.gstCents)).toBeLessThanOrEqual(1);
    }),
  );
  expect([calculateIncludedGst(156_640, 1_000), calculateIncludedGst(156_640, 0)]).toEqual([14_240, 0]);
});

test("charges GST only to customers in Australia", () => {
  expect(["Australia", " australia ", "New Zealand", ""].map(getGstBasisPoints)).toEqual([1_000, 1_000, 0, 0]);
});
