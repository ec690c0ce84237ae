import fc from "fast-check";
import { expect, test } from "vitest";
import { divide, calculatePercentage, split, sum } from "#api/dev/payment-simulator/cents.ts";
import { addIntervals } from "#api/dev/payment-simulator/dates.ts";
import { calculateInvoice } from "#api/dev/payment-simulator/invoicing.ts";
import type { Coupon, LineSeed } from "#api/dev/payment-simulator/objects.ts";

const seed = (amount: number, proration = false): LineSeed => ({
  amount,
  price: "price_1",
  period: { start: 0, end: 1 },
  proration,
});
const buildCoupon = (off: Partial<Coupon>) => ({ percent_off: null, amount_off: null, ...off }) as Coupon;

test("adds up lines, discounts and taxes to the exact totals, and never charges a negative amount", () => {
  const lines = fc.array(fc.tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.boolean()), {
    minLength: 1,
    maxLength: 6,
  });
  const coupons = fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 10_000 }).map((bps) => ({ percent_off: bps / 100 })),
      fc.integer({ min: 1, max: 3_000_000 }).map((amount_off) => ({ amount_off })),
    ),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(
      lines,
      coupons,
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: -50_000, max: 50_000 }),
      (given, off, bps, balance) => {
        const sums = calculateInvoice(
          given.map(([amount, proration]) => seed(amount, proration)),
          { coupons: off.map(buildCoupon), taxRates: [{ percentage: bps / 100 }], startingBalance: balance },
        );
        const lineTaxes = sum(sums.lines.flatMap((line) => line.taxes.map(({ amount }) => amount)));
        const lineOffs = sum(sums.lines.flatMap((line) => line.discount_amounts.map(({ amount }) => amount)));
        expect(lineTaxes).toBe(sums.total_taxes[0]?.amount);
        expect(lineOffs).toBe(sum(sums.total_discount_amounts.map(({ amount }) => amount)));
        expect(sums.total_excluding_tax).toBe(sums.subtotal - lineOffs);
        expect(sums.total).toBe(sums.total_excluding_tax + lineTaxes);
        expect(lineTaxes).toBe(calculatePercentage(sums.total_excluding_tax, bps / 100));
        expect(sums.amount_due).toBeGreaterThanOrEqual(0);
        expect(sums.amount_due + sums.ending_balance).toBe(sums.total + balance);
        for (const line of sums.lines)
          expect(sum(line.discount_amounts.map(({ amount }) => amount))).toBeLessThanOrEqual(Math.max(0, line.amount));
      },
    ),
    {
      numRuns: 1_000,
      examples: [
        [
          [1_790_946, 4, 1_756_336, 171_135, 503_639].map((amount) => [amount, false] as [number, boolean]),
          [{ percent_off: 63.52 }, { amount_off: 1_179_420 }],
          0,
          0,
        ],
      ],
    },
  );
});

test("rounds halves away from zero, so that a credit equals its charge", () => {
  expect([divide(5, 10), divide(-5, 10), divide(4, 10), divide(-15, 10)]).toEqual([1, -1, 0, -2]);
  expect([calculatePercentage(9_995, 10), calculatePercentage(-9_995, 10)]).toEqual([1_000, -1_000]);
  expect(split([1, 1, 1], (running) => divide(running * 100, 300))).toEqual([0, 1, 0]);
});

test("carries an amount below the minimum charge over to the next invoice", () => {
  const sums = calculateInvoice([seed(49)], { coupons: [], taxRates: [], startingBalance: 0 });
  expect(sums).toMatchObject({ total: 49, amount_due: 0, ending_balance: 49 });
});

test("keeps the anchor's day of the month, or uses the last day of a shorter month", () => {
  const anchor = Date.UTC(2027, 0, 31, 9) / 1_000;
  const days = [1, 2, 3, 13].map((months) => new Date(addIntervals(anchor, "month", months) * 1_000).toISOString());
  expect(days).toEqual([
    "2027-02-28T09:00:00.000Z",
    "2027-03-31T09:00:00.000Z",
    "2027-04-30T09:00:00.000Z",
    "2028-02-29T09:00:00.000Z",
  ]);
});
