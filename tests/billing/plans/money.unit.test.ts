import { expect, test } from "vitest";
import { addAustralianGst, formatAud, formatDollars, formatUsAmount, formatUsd, parseCents } from "#schema/money.ts";
import { parseUsd } from "#schema/plan.ts";

test.each([
  [142_400, "A$1,424.00", "$1,424.00"],
  [5, "A$0.05", "$0.05"],
  [0, "A$0.00", "$0.00"],
  [-156_640, "−A$1,566.40", "−$1,566.40"],
])("an amount of %i cents has two decimals, and a minus sign in front", (cents, aud, dollars) => {
  expect([formatAud(cents), formatDollars(cents)]).toEqual([aud, dollars]);
});

test.each([
  [94_900, "949.00", "US$949.00"],
  [9_995, "99.95", "US$99.95"],
  [9_950, "99.50", "US$99.50"],
  [123_400, "1,234.00", "US$1,234.00"],
])("an amount of %i US cents has two decimals, like its neighbours in a list", (cents, amount, usd) => {
  expect([formatUsAmount(cents), formatUsd(cents)]).toEqual([amount, usd]);
});

test.each([
  ["50", 5_000],
  ["49.95", 4_995],
  ["49.5", 4_950],
  ["0.05", 5],
  ["$1,424.00", 142_400],
  ["1,234,567", 123_456_700],
  ["A$50.00", 5_000],
  [" a$ 50 ", 5_000],
  ["AU$50", 5_000],
  ["AUD $50", 5_000],
  ["aud 50", 5_000],
  ["123456", 12_345_600],
  // A calculation with fractions would be a cent off.
  ["1.15", 115],
])("amounts are read from %j", (text, cents) => {
  expect(parseCents(text)).toBe(cents);
});

const bad = ["", "$", ".50", "50.", "1.234", "1,23", "12,34", "1234,567", "-50", "50 AUD", "x50", "50x", "5 0", "€50"];
test.each(bad)("amounts aren't read from %j", (text) => expect(parseCents(text)).toBeNull());

test.each([
  ["949.00", 94_900],
  [" US$949.00", 94_900],
  ["USD 949", 94_900],
  ["A$949.00", null],
  ["AUD 949", null],
])("a US price is read from %j", (text, cents) => expect(parseUsd(text)).toBe(cents));

test("GST of 10 % is rounded half up to a cent", () => {
  expect([14_995, 14_994, 0].map(addAustralianGst)).toEqual([16_495, 16_493, 0]);
});
