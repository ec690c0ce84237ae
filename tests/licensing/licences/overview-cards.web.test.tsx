import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  buildStatus,
  failedPayment,
  mockPayments,
  runningSubscription,
} from "#tests/billing/subscriptions/mock-portal.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { buildOwnLicence, mockMyAccount, openMyAccount } from "./mock-my-account.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => {
  resetSession();
  signInAs("regular");
});

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
  expect(card.getByRole("link", { name: "Download Add-In" }).getAttribute("href")).toBe(
    "/software/production/setup.exe",
  );
  expect(card.getByRole("link", { name: "Manage Devices" }).getAttribute("href")).toBe(
    "/manage-activated-devices/1/account/",
  );
  await user.click(card.getByRole("button", { name: "Copy Licence Code" }));
  expect(await navigator.clipboard.readText()).toBe("AAAAA-00001");
});

test("shows the days and conversions left of a trial", async () => {
  const trial = {
    productLevel: "TRIAL" as const,
    subscriptionLevel: "Trial",
    createdAt: new Date(Date.now() - 2 * 86_400_000).toISOString(),
    expiresAt: new Date(Date.now() + 12 * 86_400_000 - 60_000).toISOString(),
    usageLimit: 20,
    usageRemaining: 19,
  };
  openMyAccount([mockMyAccount({ licences: [buildOwnLicence("1", trial)] })]);
  const card = within(await region(/^Licence/));
  expect(card.getByText("12 days left")).toBeTruthy();
  expect(card.getByText("19 of 20 conversions left")).toBeTruthy();
  expect(card.getByRole("progressbar", { name: "12 days left" }).getAttribute("aria-valuenow")).toMatch(/^85/);
});

test("shows the subscription with its next payment, card and actions", async () => {
  openMyAccount([mockMyAccount({ hasActiveSubscription: true })]);
  const card = within(await region("Subscription"));
  expect(await card.findByText(textWithTimes("Next payment: A$1,566.40 on 10 Jan 2027"))).toBeTruthy();
  expect(card.getByText("Visa ending in 4242")).toBeTruthy();
  expect(card.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Change Plan", "/change-subscription/"],
    ["Update Card", "/manage-payment-details/"],
    ["Cancel", "/manage-subscription/"],
  ]);
});

test("shows a failed payment as an alert with its amount and Update card", async () => {
  openMyAccount(
    [mockMyAccount({ hasActiveSubscription: true }), mockPayments(failedPayment)],
    buildStatus({ ...runningSubscription, isPastDue: true }),
  );
  const card = within(await region("Subscription"));
  const alert = within(card.getByRole("alert"));
  expect(
    await alert.findByText(textWithTimes(/A\$1,566\.40 is due\.\s+Insufficient funds\. Next retry 26 Nov 2026\./)),
  ).toBeTruthy();
  expect(alert.getByRole("link", { name: "Update card" }).getAttribute("href")).toBe("/manage-payment-details/");
});

test("leads a new customer to the next step until the first conversion", async () => {
  const trial = (changes: object) => ({ hasCompletedTrial: true, licences: [buildOwnLicence("1", changes)] });
  for (const [changes, step, done] of [
    [{}, "Start the trial or choose a plan", 1],
    [{ hasCompletedTrial: true }, "Choose a plan", 1],
    [trial({ productLevel: "TRIAL", devices: [] }), "Download the add-in", 2],
    [trial({ productLevel: "TRIAL" }), "Convert your first schedule", 4],
  ] as const) {
    const { unmount } = openMyAccount([mockMyAccount(changes)]);
    const steps = within(await region("Get started"));
    const current = steps.getAllByRole("listitem").find((item) => item.getAttribute("aria-current") === "step");
    expect(current?.textContent).toContain(step);
    expect(steps.getAllByText("Done")).toHaveLength(done);
    unmount();
  }
  for (const changes of [{ usageCount: 1 }, { createdAt: "2020-01-01T00:00:00.000Z" }]) {
    const { unmount } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("1", changes)] })]);
    await region(/^Licence/);
    expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
    unmount();
  }
});

test("hides the first steps for good once the customer closes them", async () => {
  const { user, unmount } = openMyAccount([mockMyAccount()]);
  await user.click(within(await region("Get started")).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
  unmount();
  openMyAccount([mockMyAccount()]);
  await screen.findByRole("navigation", { name: "Quick actions" });
  expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
});
