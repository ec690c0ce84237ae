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

const subscribed = (changes: Partial<typeof subscription>) => ({
  ...settled,
  subscription: { ...subscription, ...changes },
});
const withLicence = (changes: object, from = settled) => ({ ...from, licences: [{ ...licence, ...changes }] });
const idleTrial = { ...unsubscribed, licences: [{ ...trial, deviceCount: 0 }], trialEndsAt: later };
const unconverted = { isNew: true, hasConverted: false };
const payLater = { kind: "pay-invoice", amountCents: 198_000, at: later };
const payOverdue = { kind: "pay-overdue-invoice", amountCents: 198_000, at: past, invoiceNumber: "INV-1" };
const confirmEmail = { kind: "confirm-email", email: "new@demo.test", confirmationHandle: "handle" };
const install = { kind: "install-add-in", version: "7.2.0" };
const subscribe = { kind: "subscribe", at: later };
const reviewChange = { kind: "review-change", planPriceId: "xer-plus-yearly", at: later };
const reviewPrice = { kind: "review-change", planPriceId: "xer-professional-yearly" };

test("chooses the most urgent step of each customer", () => {
  const pastDue = subscribed({ status: "past_due" });
  const planned = { nextPlanPrice: "xer-plus-yearly" };
  const cases: [name: string, facts: NextStepFacts, expected: object | null][] = [
    ["nothing to do", settled, null],
    [
      "failed payment",
      { ...pastDue, invoice: overdue, pendingEmail },
      { kind: "update-card", amountCents: 156_640, at: past },
    ],
    ["overdue invoice", { ...corporate, invoice: overdue, pendingEmail }, payOverdue],
    ["dispute", subscribed({ disputedAt: past }), { kind: "contact-us" }],
    ["new email", { ...settled, pendingEmail, invoice: open }, confirmEmail],
    ["new customer", { ...unsubscribed, licences: [], canStartTrial: true }, { kind: "start-trial" }],
    ["trial by staff", { ...idleTrial, canStartTrial: true }, install],
    ["trial without a device", idleTrial, install],
    ["trial without an installer", { ...idleTrial, version: null }, subscribe],
    ["trial in use", { ...idleTrial, licences: [trial], invoice: open }, { ...subscribe, products }],
    ["trial used up", { ...unsubscribed, licences: [trial] }, { ...subscribe, at: null, products }],
    ["no licence, had a trial", { ...unsubscribed, licences: [] }, { ...subscribe, at: null, products }],
    ["no plan on sale", { ...unsubscribed, licences: [], products: [] }, null],
    ["licence by staff", unsubscribed, null],
    ["corporate customer without a licence", { ...corporate, licences: [] }, null],
    ["open invoice", { ...corporate, invoice: open }, payLater],
    ["invoice without a due date", { ...corporate, invoice: { ...open, dueAt: null } }, { ...payLater, at: null }],
    ["pause", subscribed({ pausedUntil: later, isCancelledAtPeriodEnd: true }), { kind: "end-pause", at: later }],
    ["cancelled", subscribed({ ...planned, isCancelledAtPeriodEnd: true }), { kind: "resume-subscription", at: later }],
    ["planned plan", { ...subscribed(planned), hasOldVersion: true }, reviewChange],
    ["planned price", subscribed({ nextAmountCents: 150_000 }), reviewPrice],
    ["same price", subscribed({ nextAmountCents: 142_400 }), null],
    ["no device", withLicence({ deviceCount: 0 }), install],
    ["a device on another licence", { ...corporate, licences: [licence, { ...licence, deviceCount: 0 }] }, null],
    ["old version", { ...settled, hasOldVersion: true }, { kind: "update-add-in", version: "7.2.0" }],
    ["no conversion yet", withLicence(unconverted), { kind: "convert-schedule" }],
    ["corporate customer without a conversion", withLicence(unconverted, corporate), null],
    ["no conversion for long", withLicence({ hasConverted: false }), null],
  ];
  const found = cases.map(([name, facts]) => [name, chooseNextStep(facts, now)]);
  expect(found).toEqual(cases.map(([name, , step]) => [name, step && expect.objectContaining(step)]));
  const kinds = new Set(found.map(([, step]) => (step as { kind: string } | null)?.kind));
  expect(nextSteps.filter(({ value }) => !kinds.has(value))).toEqual([]);
});
