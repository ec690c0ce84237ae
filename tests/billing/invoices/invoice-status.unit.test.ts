import { expect, test } from "vitest";
import { getBalanceCents, getInvoiceStatus } from "#api/billing/invoices/invoice-status.ts";
import { planPayment } from "#api/billing/payments/record-payment.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";

const now = new Date("2026-05-01T00:00:00Z");
const earlier = new Date(now.getTime() - 1);
const amounts = { totalCents: 1_100, creditCents: 300, paidCents: 500 };

test.each([
  ["open", earlier, "overdue"],
  ["open", now, "open"],
  ["open", null, "open"],
  ["paid", earlier, "paid"],
  ["void", earlier, "void"],
] as const)("an invoice that is %s and due at %s is %s", (status, dueAt, expected) => {
  expect(getInvoiceStatus({ status, dueAt }, now)).toBe(expected);
});

test("only an open invoice has a balance, less credit and payments", () => {
  expect(getBalanceCents({ status: "open", ...amounts })).toBe(300);
  for (const status of ["draft", "paid", "void"] as const) expect(getBalanceCents({ status, ...amounts })).toBe(0);
});

test.each([
  [299, { appliedCents: 299, creditCents: 0, balanceCents: 1 }],
  [300, { appliedCents: 300, creditCents: 0, balanceCents: 0 }],
  [301, { appliedCents: 300, creditCents: 1, balanceCents: 0 }],
])("a payment of %i cents pays the balance of 300 first, and the rest becomes credit", (cents, plan) => {
  expect(planPayment({ status: "open", ...amounts } as ManualInvoice, cents)).toEqual(plan);
});
