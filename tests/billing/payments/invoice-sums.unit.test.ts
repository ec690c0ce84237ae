import { expect, test } from "vitest";
import { calculatePercentage, divide } from "#api/dev/payment-simulator/cents.ts";
import { addIntervals } from "#api/dev/payment-simulator/dates.ts";
import { calculateInvoice } from "#api/dev/payment-simulator/invoicing.ts";

test("rounds halves away from zero, so that a credit equals its charge", () => {
  expect([divide(5, 10), divide(-5, 10), divide(4, 10), divide(-15, 10)]).toEqual([1, -1, 0, -2]);
  expect([calculatePercentage(9_995, 10), calculatePercentage(-9_995, 10)]).toEqual([1_000, -1_000]);
});

test.each([
  ["takes the tax of the discounted amount", 9_995, 1_999, 0, { total: 8_796, amount_due: 8_796, ending_balance: 0 }],
  ["limits the discount to the amount", 9_995, 50_000, 0, { total: 0, amount_due: 0, ending_balance: 0 }],
  ["keeps a credit for the next invoice", -5_000, null, 0, { total: -5_500, amount_due: 0, ending_balance: -5_500 }],
  ["uses a credit", 1_000, null, -500, { total: 1_100, amount_due: 600, ending_balance: 0 }],
  ["carries an amount below the minimum charge over", 40, null, 0, { total: 44, amount_due: 0, ending_balance: 44 }],
])("%s", (_name, subtotal, amount_off, startingBalance, sums) => {
  const coupon = amount_off === null ? null : { amount_off };
  expect(calculateInvoice(subtotal, { coupon, taxRates: [{ percentage: 10 }], startingBalance })).toMatchObject(sums);
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
