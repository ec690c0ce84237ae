import { expect, test } from "vitest";
import { getPauseDays } from "#schema/days.ts";
import type { ProviderInvoice } from "#api/platform/payments/provider-data.ts";
import {
  endsLicence,
  findChargesToRefund,
  getLicenceEnd,
  getPaidUntil,
  getPeriodEnd,
  isChargedAfterArchiving,
  isRefundedOrLost,
  isUnpaid,
} from "#api/billing/subscriptions/payment-rules.ts";

const at = (day: string) => new Date(`2026-${day}T00:00:00Z`);

const buildRefund = (amountCents: number) => ({ id: "re", refundId: null, amountCents, createdAt: at("05-02") });

function buildInvoice(changes: Partial<ProviderInvoice> = {}): ProviderInvoice {
  return {
    id: "in",
    status: "paid",
    reason: "renewal",
    createdAt: at("05-01"),
    paidAt: at("05-01"),
    lines: [buildLine("06-01")],
    discountCents: 0,
    gstCents: 100,
    totalCents: 1_100,
    dueCents: 0,
    card: null,
    chargeId: "ch",
    attempts: [],
    nextAttemptAt: null,
    refunds: [],
    dispute: "none",
    ...changes,
  };
}

function buildLine(end: string, amountCents = 1_000) {
  return { priceId: "plan", amountCents, periodStart: at("05-01"), periodEnd: at(end) };
}

test.each([
  ["three days after the paid period", false, null, "06-04"],
  ["with the paid period of a cancelled subscription", true, null, "06-01"],
  ["on the later date until which staff extended it", true, at("06-20"), "06-20"],
  ["after the paid period, if staff extended it until an earlier date", false, at("06-02"), "06-04"],
] as const)("a licence ends %s", (_name, isCancelledAtPeriodEnd, licenceExtendedUntil, end) => {
  expect(getLicenceEnd(at("06-01"), { isCancelledAtPeriodEnd, licenceExtendedUntil })).toEqual(at(end));
});

test("the paid period ends with the current one if nothing was paid", () => {
  const currentPeriodEndsAt = at("06-01");
  expect(getPeriodEnd({ paidUntil: null, currentPeriodEndsAt })).toEqual(at("06-01"));
  expect(getPeriodEnd({ paidUntil: at("07-01"), currentPeriodEndsAt })).toEqual(at("07-01"));
});

test("an open invoice with an amount due is unpaid", () => {
  const due = [{ status: "open", dueCents: 1 }, { status: "open" }, { dueCents: 1 }] as const;
  expect(due.map((changes) => isUnpaid(buildInvoice(changes)))).toEqual([true, false, false]);
});

test.each([
  ["nothing was refunded", {}, false],
  ["all but a cent was refunded", { refunds: [buildRefund(600), buildRefund(499)] }, false],
  ["all was refunded in parts", { refunds: [buildRefund(600), buildRefund(500)] }, true],
  ["the bank took it back", { dispute: "lost" }, true],
  ["a dispute is open", { dispute: "open" }, false],
  ["it was an invoice of nothing", { totalCents: 0 }, false],
] as const)("if %s: %s", (_name, changes, expected) => {
  expect(isRefundedOrLost(buildInvoice(changes))).toBe(expected);
  expect(endsLicence(buildInvoice(changes))).toBe(expected);
});

test("a payment is returned and ends the licence as staff chose, unless the bank took the money back", () => {
  const full = { refunds: [buildRefund(1_100)] };
  expect(endsLicence(buildInvoice({ ...full, licenceAfterRefund: "keep" }))).toBe(false);
  expect(endsLicence(buildInvoice({ refunds: [buildRefund(1)], licenceAfterRefund: "end" }))).toBe(true);
  expect(endsLicence(buildInvoice({ dispute: "lost", licenceAfterRefund: "keep" }))).toBe(true);
});

const getEnd = (invoices: readonly ProviderInvoice[], movedUntil: Date | null = null) =>
  getPaidUntil({ invoices, movedUntil });

test("the paid period ends with the last line that was paid and not returned", () => {
  const paid = [buildInvoice({ lines: [buildLine("07-01")] }), buildInvoice()];
  expect(getEnd(paid)).toEqual(at("07-01"));
  for (const changes of [{ status: "open" }, { refunds: [buildRefund(1_100)] }] as const)
    expect(getEnd([...paid, buildInvoice({ lines: [buildLine("08-01")], ...changes })])).toEqual(at("07-01"));
});

test("the paid period leaves out credits and free lines, whose time wasn't paid for", () => {
  const lines = [buildLine("06-01"), buildLine("09-01", -500), buildLine("10-01", 0)];
  expect(getEnd([buildInvoice({ lines })])).toEqual(at("06-01"));
});

test("the paid period ends where a pause moved it", () => {
  expect(getEnd([buildInvoice()], at("06-20"))).toEqual(at("06-20"));
  expect(getEnd([], at("06-20"))).toEqual(at("06-20"));
  expect(getEnd([])).toBeNull();
});

const user = { archivedAt: at("04-20") };
const now = at("05-10");
const find = (changes: Partial<ProviderInvoice>) => findChargesToRefund(user, [buildInvoice(changes)], now).length;

test("a charge after the account was archived counts only if the account is archived and the payment is later", () => {
  expect(isChargedAfterArchiving(user, buildInvoice())).toBe(true);
  expect(isChargedAfterArchiving({ archivedAt: null }, buildInvoice())).toBe(false);
  expect(isChargedAfterArchiving(user, buildInvoice({ paidAt: user.archivedAt }))).toBe(false);
  expect(isChargedAfterArchiving(user, buildInvoice({ paidAt: null }))).toBe(false);
  expect(isChargedAfterArchiving(user, buildInvoice({ status: "open" }))).toBe(false);
});

test("a charge after the account was archived is refunded once, unless it is disputed or nothing was charged", () => {
  expect([find({}), find({ dispute: "won" }), find({ paidAt: at("04-19") })]).toEqual([1, 1, 0]);
  expect([find({ chargeId: null }), find({ totalCents: 0 }), find({ dispute: "open" })]).toEqual([0, 0, 0]);
  expect(find({ refunds: [buildRefund(1_100)] })).toBe(0);
});

test("a charge after the account was archived is left to staff once it is 30 days old", () => {
  const refund = (moment: Date) => findChargesToRefund(user, [buildInvoice()], moment).length;
  expect([refund(new Date(at("05-31").getTime() - 1)), refund(at("05-31"))]).toEqual([1, 0]);
});

test.each([
  // 1 May in Brisbane, still 30 April in UTC.
  ["2026-04-30T14:00:00Z", "2026-05-02", "2026-08-01"],
  ["2026-04-30T13:59:59Z", "2026-05-01", "2026-07-30"],
  ["2026-11-30T00:00:00Z", "2026-12-01", "2027-02-28"],
  ["2027-11-30T00:00:00Z", "2027-12-01", "2028-02-29"],
  ["2026-12-31T00:00:00Z", "2027-01-01", "2027-03-31"],
])("a pause that starts at %s ends from %s, at most three months later on %s", (moment, first, last) => {
  expect(getPauseDays(new Date(moment))).toEqual({ first, last });
});
