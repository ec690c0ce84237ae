import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  buildStatus,
  failedPayment,
  mockPayments,
  products,
  runningSubscription,
} from "#tests/billing/subscriptions/mock-portal.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import { buildOwnLicence, buildStep, mockMyAccount, openMyAccount } from "./mock-my-account.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("regular"));

const region = (name: string | RegExp) => screen.findByRole("region", { name });

test("shows each licence as a card with its renewal, devices and actions", async () => {
  const { user } = openMyAccount([
    mockMyAccount({
      licences: [buildOwnLicence("1", { periodEndsAt: "2027-09-22T20:00:00.000Z", renewal: "RENEWS" })],
    }),
  ]);
  const card = within(await region(/^Licence Planvarro Professional/));
  expect(card.getByText("Active")).toBeTruthy();
  expect(card.getByText(textWithTimes("Renews 23 Sep 2027"))).toBeTruthy();
  expect(card.getByText("1 of 1 device in use")).toBeTruthy();
  const href = "/software/production/setup.exe";
  expect(card.getByRole("link", { name: "Download Add-In" }).getAttribute("href")).toBe(href);
  const expected = "/manage-activated-devices/1/account/";
  expect(card.getByRole("link", { name: "Manage Devices" }).getAttribute("href")).toBe(expected);
  await user.click(card.getByRole("button", { name: "Copy Licence Code" }));
  expect(await navigator.clipboard.readText()).toBe("AAAAA-00001");
});

test("shows the days and conversions left of a trial", async () => {
  const trial = {
    productLevel: "TRIAL",
    subscriptionLevel: "Trial",
    createdAt: new Date(Date.now() - 2 * 86_400_000).toISOString(),
    expiresAt: new Date(Date.now() + 12 * 86_400_000 - 60_000).toISOString(),
    usageLimit: 1_020,
    usageRemaining: 1_019,
  };
  const { unmount } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("1", trial)] })]);
  const card = within(await region(/^Licence/));
  for (const text of ["12 days left", "1,019 of 1,020 conversions left"]) expect(card.getByText(text)).toBeTruthy();
  expect(card.getByRole("progressbar", { name: "12 days left" }).getAttribute("aria-valuenow")).toMatch(/^85/);
  unmount();
  openMyAccount([mockMyAccount({ licences: [buildOwnLicence("1", { ...trial, usageRemaining: 0 })] })]);
  const ended = within(await region(/^Licence/));
  for (const text of ["Conversions used up", "0 of 1,020 conversions left"]) expect(ended.getByText(text)).toBeTruthy();
  for (const text of ["Active", "12 days left"]) expect(ended.queryByText(text)).toBeNull();
});

test("shows the subscription with its next payment, card and actions, and until when it is paused", async () => {
  const { unmount } = openMyAccount([mockMyAccount({ hasActiveSubscription: true })]);
  const card = within(await region("Subscription"));
  expect(await card.findByText(textWithTimes("Next payment: A$1,566.40 on 10 Jan 2027"))).toBeTruthy();
  expect(card.getByText("Visa ending in 4242")).toBeTruthy();
  expect(card.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Change Plan", "/change-subscription/"],
    ["Update Card", "/manage-payment-details/"],
    ["Cancel", "/manage-subscription/"],
  ]);
  unmount();
  const paused = buildStatus({ ...runningSubscription, pausedUntil: "2026-12-24T14:00:00.000Z" });
  openMyAccount([mockMyAccount({ hasActiveSubscription: true })], paused);
  expect(await screen.findByText(textWithTimes("Paused until 25 Dec 2026"))).toBeTruthy();
});

test("shows a failed payment as an alert with its amount and Update Card", async () => {
  const mocks = [mockMyAccount({ hasActiveSubscription: true }), mockPayments(failedPayment)];
  openMyAccount(mocks, buildStatus({ ...runningSubscription, isPastDue: true }));
  const card = within(await region("Subscription"));
  const alert = within(card.getByRole("alert"));
  expect(
    await alert.findByText(textWithTimes(/A\$1,566\.40 is due\.\s+Insufficient funds\. Next retry 26 Nov 2026\./)),
  ).toBeTruthy();
  expect(alert.getByRole("link", { name: "Update Card" }).getAttribute("href")).toBe("/manage-payment-details/");
  expect(card.queryByText(/Next payment/)).toBeNull();
});

test("shows that a payment or an invoice is overdue next to the licence's status", async () => {
  const overdue = buildStep("PAY_OVERDUE_INVOICE", { amountCents: 198_000, at: "2026-11-20T02:00:00.000Z" });
  for (const [renewal, step, badge] of [
    ["PAYMENT_DUE", null, "Payment overdue"],
    ["NONE", overdue, "Invoice overdue"],
  ] as const) {
    const licences = [buildOwnLicence("1", { renewal })];
    const { unmount } = openMyAccount([mockMyAccount({ memberType: "CORPORATE", licences })], undefined, step);
    expect(within(await region(/^Licence/)).getByText(badge)).toBeTruthy();
    unmount();
  }
});

test("shows the next step with its one action", async () => {
  const at = "2027-01-09T20:00:00.000Z";
  const card = { amountCents: 156_640, at };
  const invoice = { amountCents: 198_000, at, invoiceNumber: "100009" };
  const upgrade = { amountCents: 156_640, at, planPrice: runningSubscription.planPrice };
  const cases = [
    ["UPDATE_CARD", card, "Pay A$1,566.40", "Update Card", "/manage-payment-details/"],
    ["PAY_OVERDUE_INVOICE", invoice, "Pay A$1,980.00, overdue since 10 Jan 2027", "Pay Invoice", "/tax-invoices/"],
    ["PAY_INVOICE", invoice, "Pay A$1,980.00 by 10 Jan 2027", "Pay Invoice", "/tax-invoices/"],
    ["CONTACT_US", {}, "Your licence is suspended", "Contact", "/contact-us/"],
    ["START_TRIAL", {}, "Try Professional for free", "Trial Professional", "/try-xer/"],
    ["INSTALL_ADD_IN", { version: "7.2.0" }, "Install the add-in", "Download Add-In", "/software/production/setup.exe"],
    ["END_PAUSE", { at }, "Your subscription is paused until 10 Jan 2027", "Resume", "/manage-subscription/"],
    ["RESUME_SUBSCRIPTION", { at }, "Your subscription ends on 10 Jan 2027", "Resume", "/manage-subscription/"],
    ["REVIEW_CHANGE", upgrade, "Your subscription changes on 10 Jan 2027", "Review Change", "/manage-subscription/"],
    [
      "CONVERT_SCHEDULE",
      {},
      "Convert your first schedule",
      "Tutorials",
      "/resources-and-support/installation-support-tutorials/",
    ],
  ] as const;
  for (const [kind, details, title, label, href] of cases) {
    const { unmount } = openMyAccount([mockMyAccount()], undefined, buildStep(kind, details));
    const card = within(await region("Next step"));
    expect(card.getByRole("heading", { level: 2, name: title })).toBeTruthy();
    expect(card.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      [label, href],
    ]);
    unmount();
  }
});

test("shows a trial's end with the price of a subscription and what a year saves", async () => {
  const step = buildStep("SUBSCRIBE", { at: "2027-01-09T20:00:00.000Z", products: products.slice(0, 2) });
  openMyAccount([mockMyAccount({ hasCompletedTrial: true })], undefined, step);
  const card = within(await region("Next step"));
  expect(card.getByRole("heading", { name: /^Subscribe before your trial ends on \d+ Jan 2027$/ })).toBeTruthy();
  expect(
    card.getByText("Professional costs A$164.95 a month or A$1,566.40 a year, incl. GST. Yearly saves 20%."),
  ).toBeTruthy();
  const href = "/manage-subscription/xer-professional-yearly/";
  expect(card.getByRole("link", { name: "Subscribe" }).getAttribute("href")).toBe(href);
});

test("sends the confirmation of a new email again, and says when there is nothing to do", async () => {
  const sent = mockApi({ ResendConfirmationEmail: { resendConfirmationEmail: { isConfirmed: false } } });
  const step = buildStep("CONFIRM_EMAIL", { email: "new@demo.test", confirmationHandle: "handle-1" });
  const { user, unmount } = openMyAccount([mockMyAccount()], undefined, step);
  const card = within(await region("Next step"));
  expect(card.getByRole("heading", { name: "Confirm new@demo.test" })).toBeTruthy();
  await user.click(card.getByRole("button", { name: "Re-send Email" }));
  expect(await screen.findByText("We have sent the email confirmation link to your email address.")).toBeTruthy();
  expect(sent.map(({ variables }) => variables)).toContainEqual({ handle: "handle-1" });
  unmount();
  openMyAccount([mockMyAccount()]);
  expect(within(await region("Next step")).getByText("Nothing to do")).toBeTruthy();
});

test("shows a new customer how far they are, until the first conversion", async () => {
  const own = (changes: object) => ({ licences: [buildOwnLicence("1", changes)] });
  for (const [changes, kind, current, done] of [
    [{}, "START_TRIAL", "Start the trial or choose a plan", 1],
    [own({ devices: [] }), "INSTALL_ADD_IN", "Download the add-in", 2],
    [own({}), "CONVERT_SCHEDULE", "Convert your first schedule", 4],
    [own({ devices: [], usageCount: 1 }), "INSTALL_ADD_IN", null, 0],
    [own({}), "SUBSCRIBE", null, 0],
    [{ memberType: "CORPORATE" }, "PAY_INVOICE", null, 0],
  ] as const) {
    const { unmount } = openMyAccount([mockMyAccount(changes)], undefined, buildStep(kind));
    await region("Next step");
    const steps = screen.queryByRole("region", { name: "Get started" });
    const marked = steps?.querySelector("[aria-current=step]")?.textContent ?? null;
    expect(marked === null ? null : marked.slice(1)).toBe(current);
    expect(screen.queryAllByText("Done")).toHaveLength(done);
    unmount();
  }
});
