import { expect, test } from "vitest";
import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { changedPromoCodeRules, parseDiscount, promoCodeRules, validatePromoCodeRules } from "#schema/promo-code.ts";
import { check } from "#api/platform/validate.ts";
import { getFieldErrors, listFieldErrors } from "#tests/support/field-errors.ts";

const values = (changes: object = {}) => ({ code: "SPRING", discountType: 0, discountValue: 10, ...changes });

// Multiplying these as floating-point numbers would be off by a cent or a basis point.
const exact: [type: number, value: unknown, stored: number][] = [
  [0, "0.01", 1],
  [0, 0.29, 29],
  [0, "1.15", 115],
  [0, 8.2, 820],
  [0, "10%", 1_000],
  [0, " 33.33 % ", 3_333],
  [0, 100, 10_000],
  [0, "100.00", 10_000],
  [1, "0.01", 1],
  [1, 0.57, 57],
  [1, 1.1, 110],
  [1, "19.99", 1_999],
  [1, "$50", 5_000],
  [1, "A$50.00", 5_000],
  [1, "AU$50.5", 5_050],
  [1, "AUD 8.20", 820],
  [1, "a$ 1,000.29", 100_029],
  [1, "100000", 10_000_000],
];

test("reads a discount exactly, as basis points or cents", () => {
  const read = exact.map(([discountType, discountValue]) => {
    const { discountValue: typed } = check(promoCodeRules, values({ discountType, discountValue }));
    const parsed = parseDiscount(discountType, typed);
    const stored = typeof parsed === "string" ? parsed : (parsed.basisPoints ?? parsed.amountCents);
    return [discountType, discountValue, stored];
  });
  expect(read).toEqual(exact);
  expect(parseDiscount(0, "10")).toEqual({ basisPoints: 1_000, amountCents: null });
  expect(parseDiscount(1, "10")).toEqual({ basisPoints: null, amountCents: 1_000 });
});

const PERCENTAGE = "Must be a percentage above 0 and up to 100, with at most two decimals.";
const AMOUNT = "Must be an amount above A$0.00, such as A$50.00.";

test("rejects other discounts", () => {
  const check = (discountType: number, message: string, wrong: unknown[]) => {
    const cases = wrong.map((value) => ["discountValue", value, message] as const);
    expect(listFieldErrors(promoCodeRules, values({ discountType }), cases)).toEqual(cases);
  };
  check(0, PERCENTAGE, [0, "0.00", -10, "100.01", 101, "10.123", 0.1 + 0.2, 1e-7, "1e1", "A$10", "10,5", "ten"]);
  check(0, "Discount value is required.", ["", undefined]);
  check(1, AMOUNT, [0, "A$0.00", -50, "49.999", "50%", "US$50", "1,00", 1e21]);
  check(1, "Must be at most A$100,000.00.", ["100000.01", "9".repeat(40)]);
});

test("has a message for each field", () => {
  const type = "Discount type must be 0 (percentage) or 1 (dollars off).";
  const cases = [
    ["code", "x".repeat(50), null],
    ["code", "  ", "Promo code is required."],
    ["code", undefined, "Promo code is required."],
    ["code", "x".repeat(51), "Promo code is too long."],
    ["code", "A\nB", "Contains characters that are not allowed."],
    ["discountType", "1", null],
    ["discountType", "", "Discount type is required."],
    ["discountType", 2, type],
    ["discountType", "Percentage", type],
    ["expiryDate", "soon", "Must be a date."],
    ["expiryDate", "2027-02-30", "Must be a date."],
    ["expiryDate", 20270101, "Must be a date."],
    ["startDate", "2027-02-30", "Must be a date."],
    ["startDate", "2030-02-01", "The start must be before the expiry date."],
    ["startDate", "2030-01-31", null],
    ["planPriceIds", ["xer-professional-monthly"], null],
    ["planPriceIds", "all", "Must be a list of plan prices."],
    ["maximumRedemptions", 0, "Must be a whole number from 1 to 1,000,000."],
    ["maximumRedemptions", 1.5, "Must be a whole number from 1 to 1,000,000."],
    ["maximumRedemptions", "many", "Must be a whole number from 1 to 1,000,000."],
    ["isOneTimeUseOnly", "perhaps", "Must be true or false."],
  ] as const;
  expect(listFieldErrors(promoCodeRules, values({ expiryDate: "2030-01-31" }), cases)).toEqual(cases);
});

test("includes the vendor's day of an expiry date without a time, and never expires without a date or in the year 1", () => {
  const cases = [
    ["2030-01-31", getEndOfDay("2030-01-31").toISOString()],
    ["2030-01-31T10:00:00Z", "2030-01-31T10:00:00.000Z"],
    ["2030-01-31T10:00:00+10:00", "2030-01-31T00:00:00.000Z"],
    ["2030-01-31 10:00:00", "2030-01-31T10:00:00.000Z"],
    [null, null],
    ["", null],
    ["0001-01-01", null],
    ["0001-01-01T00:00:00Z", null],
    ["0001-01-01T00:00:00", null],
  ] as const;
  const read = (expiryDate: unknown) => check(promoCodeRules, values({ expiryDate })).expiryDate?.toISOString() ?? null;
  expect(cases.map(([expiryDate]) => [expiryDate, read(expiryDate)])).toEqual(cases);
});

test("starts at the vendor's midnight, and keeps limits that a documented client of REST doesn't send", () => {
  const limits = { startDate: "2030-01-31", planPriceIds: ["xer-plus-monthly"], maximumRedemptions: "100" };
  const read = { startDate: getStartOfDay("2030-01-31"), planPriceIds: ["xer-plus-monthly"], maximumRedemptions: 100 };
  expect(check(promoCodeRules, values(limits))).toMatchObject(read);
  const none = { startDate: null, planPriceIds: [], maximumRedemptions: null };
  expect(check(promoCodeRules, values())).toMatchObject(none);
  expect(Object.values(getFieldErrors(promoCodeRules, values({ planPriceIds: ["xer-professional"] })))).toEqual([
    ["Must be a plan price, such as xer-professional-yearly."],
  ]);
  const changed = (body: object) => check(changedPromoCodeRules, values({ id: "1", ...body }));
  for (const name of Object.keys(limits)) expect(changed({})).not.toHaveProperty(name);
  expect(changed({ startDate: "", planPriceIds: [], maximumRedemptions: "" })).toMatchObject(none);
});

test("accepts an amount in whole cents to check a code for", () => {
  const amount = { itemAmount: ["Must be an amount in cents."] };
  const cases = [
    [{ itemAmount: 100 }, { promoCode: ["Promo code is required."] }],
    [{ promoCode: "X" }, { itemAmount: ["Item amount is required."] }],
    [{ itemAmount: -1, promoCode: "X" }, amount],
    [{ itemAmount: 1.5, promoCode: "X" }, amount],
    [{ itemAmount: 1e300, promoCode: "X" }, amount],
  ] as const;
  expect(cases.map(([body]) => [body, getFieldErrors(validatePromoCodeRules, body)])).toEqual(cases);
});
