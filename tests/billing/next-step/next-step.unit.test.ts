import { expect, test } from "vitest";
import { nextSteps } from "#schema/next-step.ts";
import { chooseNextStep, type NextStepFacts } from "#api/billing/next-step/next-step.ts";

const now = new Date("2026-11-29T02:00:00Z");
const [past, later] = [new Date("2026-11-20T02:00:00Z"), new Date("2026-12-20T02:00:00Z")];
const products = [{ name: "Professional, yearly" }] as never;

const subscription: NonNullable<NextStepFacts["subscription"]> = {
  status: "active",
  planPrice: "xer-professional-yearly",
  nextPlanPrice: null,
  amountCents: 142_400,
  nextAmountCents: null,
  currentPeriodEndsAt: later,
  paidUntil: past,
  pausedUntil: null,
  disputedAt: null,
  isCancelledAtPeriodEnd: false,
};
const licence = { productLevel: 2, deviceCount: 1, hasConverted: true, isNew: false };
const trial = { ...licence, productLevel: 3 };
const overdue = { number: "INV-1", dueAt: past, balanceCents: 198_000 };
const open = { ...overdue, dueAt: later };
const pendingEmail = { email: "new@demo.test", handle: "handle" };

const settled: NextStepFacts = {
  isRegular: true,
  pendingEmail: null,
  subscription,
  nextChargeCents: 156_640,
  invoice: null,
  licences: [licence],
  canStartTrial: false,
  trialEndsAt: null,
  products,
  version: "7.2.0",
  hasOldVersion: false,
};
const unsubscribed = { ...settled, subscription: null, nextChargeCents: null };
const corporate = { ...unsubscribed, isRegular: false, products: [] };

test("chooses the most urgent step of each customer", () => {
  const pastDue = { ...subscription, status: "past_due" as const };
  const planned = { ...subscription, nextPlanPrice: "xer-plus-yearly" };
  const cases: [name: string, facts: NextStepFacts, expected: object | null][] = [
    ["nothing to do", settled, null],
    [
      "failed payment",
      { ...settled, subscription: pastDue, invoice: overdue, pendingEmail },
      { kind: "update-card", amountCents: 156_640, at: past },
    ],
    [
      "overdue invoice",
      { ...corporate, invoice: overdue, pendingEmail },
      { kind: "pay-overdue-invoice", amountCents: 198_000, at: past, invoiceNumber: "INV-1" },
    ],
    ["dispute", { ...settled, subscription: { ...subscription, disputedAt: past } }, { kind: "contact-us" }],
    [
      "new email",
      { ...settled, pendingEmail, invoice: open },
      { kind: "confirm-email", email: "new@demo.test", confirmationHandle: "handle" },
    ],
    ["new customer", { ...unsubscribed, licences: [], canStartTrial: true }, { kind: "start-trial" }],
    [
      "trial without a device",
      { ...unsubscribed, licences: [{ ...trial, deviceCount: 0 }], trialEndsAt: later },
      { kind: "install-add-in", version: "7.2.0" },
    ],
    [
      "trial without an installer",
      { ...unsubscribed, licences: [{ ...trial, deviceCount: 0 }], trialEndsAt: later, version: null },
      { kind: "subscribe", at: later },
    ],
    [
      "trial in use",
      { ...unsubscribed, licences: [trial], trialEndsAt: later, invoice: open },
      { kind: "subscribe", at: later, products },
    ],
    ["trial used up", { ...unsubscribed, licences: [trial] }, { kind: "subscribe", at: null, products }],
    ["no licence, had a trial", { ...unsubscribed, licences: [] }, { kind: "subscribe", at: null, products }],
    ["no plan on sale", { ...unsubscribed, licences: [], products: [] }, null],
    ["licence by staff", unsubscribed, null],
    ["corporate customer without a licence", { ...corporate, licences: [] }, null],
    ["open invoice", { ...corporate, invoice: open }, { kind: "pay-invoice", amountCents: 198_000, at: later }],
    [
      "invoice without a due date",
      { ...corporate, invoice: { ...open, dueAt: null } },
      { kind: "pay-invoice", at: null },
    ],
    [
      "pause",
      { ...settled, subscription: { ...subscription, pausedUntil: later, isCancelledAtPeriodEnd: true } },
      { kind: "end-pause", at: later },
    ],
    [
      "cancelled",
      { ...settled, subscription: { ...planned, isCancelledAtPeriodEnd: true } },
      { kind: "resume-subscription", at: later },
    ],
    [
      "planned plan",
      { ...settled, subscription: planned, hasOldVersion: true },
      { kind: "review-change", planPriceId: "xer-plus-yearly", at: later },
    ],
    [
      "planned price",
      { ...settled, subscription: { ...subscription, nextAmountCents: 150_000 } },
      { kind: "review-change", planPriceId: "xer-professional-yearly" },
    ],
    ["same price", { ...settled, subscription: { ...subscription, nextAmountCents: 142_400 } }, null],
    [
      "no device",
      { ...settled, licences: [{ ...licence, deviceCount: 0 }] },
      { kind: "install-add-in", version: "7.2.0" },
    ],
    ["a device on another licence", { ...corporate, licences: [licence, { ...licence, deviceCount: 0 }] }, null],
    ["old version", { ...settled, hasOldVersion: true }, { kind: "update-add-in", version: "7.2.0" }],
    [
      "no conversion yet",
      { ...settled, licences: [{ ...licence, isNew: true, hasConverted: false }] },
      { kind: "convert-schedule" },
    ],
    [
      "corporate customer without a conversion",
      { ...corporate, licences: [{ ...licence, isNew: true, hasConverted: false }] },
      null,
    ],
    ["no conversion for long", { ...settled, licences: [{ ...licence, hasConverted: false }] }, null],
  ];
  const found = cases.map(([name, facts]) => [name, chooseNextStep(facts, now)]);
  expect(found).toEqual(cases.map(([name, , step]) => [name, step && expect.objectContaining(step)]));
  const kinds = new Set(found.map(([, step]) => (step as { kind: string } | null)?.kind));
  expect(nextSteps.filter(({ value }) => !kinds.has(value))).toEqual([]);
});
