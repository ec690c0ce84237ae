import { expect, test } from "vitest";
import {
  getCardNumberState,
  getCaretAfterDigits,
  getCvcState,
  getExpiryState,
  formatCardNumber,
  formatCvc,
  formatExpiry,
} from "#web/billing/card-fields/card-format.ts";

const compare = (read: (typed: string) => string, cases: Record<string, string>) =>
  expect(Object.fromEntries(Object.keys(cases).map((typed) => [typed, read(typed)]))).toEqual(cases);

test("formats card numbers, expiry dates and security codes", () => {
  compare(formatCardNumber, {
    "4242424242424242": "4242 4242 4242 4242",
    "4242-4242 42": "4242 4242 42",
    "378282246310005": "3782 822463 10005",
    "42424242424242424242999": "4242 4242 4242 4242 424",
    "４２４２ ٤٢٤٢": "4242 4242",
    card: "",
  });
  compare(formatExpiry, {
    "1": "1",
    "12": "12",
    "123": "12/3",
    "1234": "12/34",
    "5": "05",
    "1/": "01/",
    "1/34": "01/34",
    "1-34": "01/34",
    "１．３４": "01/34",
    "12 / 2034": "12/34",
    "": "",
  });
  compare(formatCvc, { "12a345": "1234" });
});

test("classifies card numbers, security codes, and expiry dates in November 2026", () => {
  compare(getCardNumberState, {
    "": "",
    "4242": "incomplete",
    "4242 4242 4242 4242": "complete",
    "3782 822463 10005": "complete",
    "4242 4242 4242 4241": "wrong",
  });
  compare((typed) => getExpiryState(typed, new Date(2026, 10, 30)), {
    "": "",
    "12/3": "incomplete",
    "13/34": "wrong",
    "11/26": "complete",
    "10/26": "past",
  });
  compare(getCvcState, { "": "", "12": "incomplete", "123": "complete" });
});

test("keeps the caret after the typed digit", () => {
  expect([getCaretAfterDigits("4242 4242", 4), getCaretAfterDigits("4242 4242", 5)]).toEqual([4, 6]);
  expect(getCaretAfterDigits("42", 9)).toBe(2);
});
