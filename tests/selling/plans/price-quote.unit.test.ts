import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planCatalogue, planIntervals } from "#schema/plan-catalogue.ts";
import { formatAud } from "#schema/money.ts";
import {
  type Discount,
  getGstBasisPoints,
  calculateIncludedGst,
  calculateQuote,
} from "#api/selling/plans/price-quote.ts";

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

describe("quote", () => {
  test("adds up exactly for any amount, discount and GST", () => {
    fc.assert(
      fc.property(cents, discount, gst, (amountCents, off, gstBasisPoints) => {
        const sum = calculateQuote({ amountCents, discount: off, gstBasisPoints });
        expect(sum.amountCents).toBe(amountCents);
        expect(sum.amountCents - sum.discountCents).toBe(sum.taxableCents);
        expect(sum.taxableCents + sum.gstCents).toBe(sum.totalCents);
        expect(Object.values(sum).every(Number.isSafeInteger)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("returns no negative values and no discount above the amount", () => {
    fc.assert(
      fc.property(cents, discount, gst, (amountCents, off, gstBasisPoints) => {
        const sum = calculateQuote({ amountCents, discount: off, gstBasisPoints });
        expect(Math.min(...Object.values(sum))).toBeGreaterThanOrEqual(0);
        expect(sum.discountCents).toBeLessThanOrEqual(amountCents);
      }),
      { numRuns: 2_000 },
    );
  });

  test("rounds each percentage half up, once", () => {
    fc.assert(
      fc.property(cents, basisPoints, gst, (amountCents, points, gstBasisPoints) => {
        const sum = calculateQuote({
          amountCents,
          discount: { kind: "percentage", basisPoints: points },
          gstBasisPoints,
        });
        expect(sum.discountCents).toBe(calculatePercentage(amountCents, points));
        expect(sum.gstCents).toBe(calculatePercentage(sum.taxableCents, gstBasisPoints));
      }),
      { numRuns: 2_000 },
    );
  });

  test("never decreases with a higher amount, and never increases with a higher discount", () => {
    fc.assert(
      fc.property(cents, cents, basisPoints, basisPoints, gst, (one, other, few, many, gstBasisPoints) => {
        const off = (points: number): Discount => ({ kind: "percentage", basisPoints: points });
        const total = (amountCents: number, points: number) =>
          calculateQuote({ amountCents, discount: off(points), gstBasisPoints }).totalCents;
        const [low, high] = one < other ? [one, other] : [other, one];
        const [less, more] = few < many ? [few, many] : [many, few];
        expect(total(low, less)).toBeLessThanOrEqual(total(high, less));
        expect(total(high, more)).toBeLessThanOrEqual(total(high, less));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["no discount", 142_400, null, { discountCents: 0, gstCents: 14_240, totalCents: 156_640 }],
    [
      "a 10 % discount",
      14_995,
      { kind: "percentage", basisPoints: 1_000 },
      { discountCents: 1_500, gstCents: 1_350, totalCents: 14_845 },
    ],
    [
      "an A$50 discount",
      14_995,
      { kind: "amount", cents: 5_000 },
      { discountCents: 5_000, gstCents: 1_000, totalCents: 10_995 },
    ],
    [
      "a discount above the price",
      4_000,
      { kind: "amount", cents: 5_000 },
      { discountCents: 4_000, gstCents: 0, totalCents: 0 },
    ],
    [
      "a 100 % discount",
      14_995,
      { kind: "percentage", basisPoints: 10_000 },
      { discountCents: 14_995, gstCents: 0, totalCents: 0 },
    ],
  ] as const)("matches a manual calculation with %s", (_name, amountCents, off, expected) => {
    expect(calculateQuote({ amountCents, discount: off, gstBasisPoints: 1_000 })).toMatchObject(expected);
  });

  test.each([-1, 0.5, Number.NaN, 1_000_000_001])("rejects an amount of %s cents", (amountCents) => {
    expect(() => calculateQuote({ amountCents, discount: null, gstBasisPoints: 1_000 })).toThrow(RangeError);
    expect(() =>
      calculateQuote({ amountCents: 1, discount: { kind: "amount", cents: amountCents }, gstBasisPoints: 0 }),
    ).toThrow(RangeError);
  });

  test.each([-1, 10_001, 0.5])("rejects a percentage of %s basis points", (points) => {
    expect(() => calculateQuote({ amountCents: 1, discount: null, gstBasisPoints: points })).toThrow(RangeError);
    expect(() =>
      calculateQuote({ amountCents: 1, discount: { kind: "percentage", basisPoints: points }, gstBasisPoints: 0 }),
    ).toThrow(RangeError);
  });
});

test("calculates the GST within a total, as in the quote", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500_000_000 }), gst, (amountCents, gstBasisPoints) => {
      const sum = calculateQuote({ amountCents, discount: null, gstBasisPoints });
      expect(Math.abs(calculateIncludedGst(sum.totalCents, gstBasisPoints) - sum.gstCents)).toBeLessThanOrEqual(1);
    }),
  );
  expect(calculateIncludedGst(156_640, 1_000)).toBe(14_240);
  expect(calculateIncludedGst(156_640, 0)).toBe(0);
});

test.each([
  ["Australia", 1_000],
  [" australia ", 1_000],
  ["New Zealand", 0],
  ["", 0],
])("charges customers in '%s' %i basis points of GST", (country, expected) => {
  expect(getGstBasisPoints(country)).toBe(expected);
});

test.each([
  [142_400, "A$1,424.00"],
  [5, "A$0.05"],
  [-156_640, "−A$1,566.40"],
  [0, "A$0.00"],
])("formats %i cents as %s", (amount, words) => {
  expect(formatAud(amount)).toBe(words);
});
