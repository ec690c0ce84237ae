import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { hasTrialIntent, rememberAcceptedTrial, rememberTrialIntent } from "#web/platform/landing.ts";
import { StartTrialDocument, TrialEligibilityDocument } from "#web/generated/graphql.ts";
import TryPage from "#web/licensing/trials/trial.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

const licence = {
  id: "licence-1",
  licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF",
  expiresAt: "2027-03-09T04:05:00.000Z",
  status: "ACTIVE",
  usageLimit: 20,
};
const completed =
  "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.";
const subscribed =
  "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.";

const published = { version: "7.2.0", sizeBytes: 18_432_000 };

const eligibility = (trialEligibility: object = {}, installer: typeof published | null = published) =>
  mockQuery(TrialEligibilityDocument).returns({ trialEligibility, installer });
const start = mockQuery(StartTrialDocument, { acceptedTheTerms: true });
const started = start.returns({ startTrial: licence });

beforeEach(() => startAs("regular"));

const open = (...mocks: Mock[]) => renderMocked(mocks, <TryPage />, "/try-xer/");

const accept = () => screen.findByRole("button", { name: "I accept the terms and conditions" });
const submit = () => screen.getByRole("button", { name: "Submit" });

test("requires acceptance of the terms, and clears the remembered intent to start a trial", async () => {
  rememberTrialIntent();
  const { user } = open(eligibility());
  expect(screen.getByRole("heading", { level: 1, name: "Trial Professional" })).toBeTruthy();
  const button = await accept();
  expect(screen.getByText("14 days")).toBeTruthy();
  const terms = screen.getByRole("link", { name: "terms and conditions" });
  expect(terms.getAttribute("href")).toBe("/terms-and-conditions/");
  expect(hasTrialIntent()).toBe(false);
  await user.click(submit());
  await waitFor(() => expect(messageUnder(button)).toBe("Please accept the terms and conditions."));
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(button);
  await waitFor(() => expect(messageUnder(button)).toBeNull());
});

test("starts at once if the terms were accepted at registration, and asks again if that fails", async () => {
  rememberAcceptedTrial();
  const { unmount } = open(eligibility(), started);
  expect(await screen.findByRole("heading", { name: /^Welcome to your trial/ })).toBeTruthy();
  unmount();
  rememberAcceptedTrial();
  open(eligibility(), start.fails("CONFLICT", "Not now."), eligibility());
  await accept();
  expect(await screen.findByText("Not now.")).toBeTruthy();
});

test("shows the trial that another tab, or a request without a response, has started", async () => {
  const running = eligibility({ hasCompletedTrial: true, daysLeft: 14, licence });
  rememberAcceptedTrial();
  const { unmount } = open(eligibility(), start.fails("CONFLICT", completed), running);
  expect(await screen.findByRole("heading", { name: "Your trial is running" })).toBeTruthy();
  expect(screen.queryByText(completed)).toBeNull();
  unmount();
  const { user } = open(eligibility(), start.fails("CONFLICT", completed), running);
  await user.click(await accept());
  await user.click(submit());
  expect(await screen.findByRole("heading", { name: "Your trial is running" })).toBeTruthy();
  expect(screen.queryByText(completed)).toBeNull();
});

test("shows the licence code, the installer and support after the trial has started", async () => {
  const { user, unmount } = open(eligibility(), started);
  await user.click(await accept());
  await user.click(submit());
  expect(
    await screen.findByRole("heading", { level: 2, name: "Welcome to your trial of Planvarro Professional" }),
  ).toBeTruthy();
  expect(document.activeElement?.textContent).toMatch(/^Welcome/);
  expect(
    screen.getByText(textWithTimes(/runs until \d+ Mar 2027, [\d:]+ [ap]m AWST, or until 20 conversions are used/)),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toBe("/software/production/setup.exe");
  await user.click(screen.getByRole("button", { name: "Copy Licence Code" }));
  expect(await navigator.clipboard.readText()).toBe(licence.licenceCode);
  expect(await screen.findByText("Licence code has been copied to clipboard.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "support@planvarro.example" })).toBeTruthy();
  expect(screen.getByText("Version 7.2.0, 18.4 MB")).toBeTruthy();
  unmount();
  const later = open(eligibility({}, null), started);
  await later.user.click(await accept());
  await later.user.click(submit());
  expect(await screen.findByText(/can't be downloaded at the moment/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
  expect(screen.getByRole("button", { name: "Copy Licence Code" })).toBeTruthy();
});

test("shows the reason and the sales address after a trial or with a subscription", async () => {
  for (const [changes, message] of [
    [{ hasCompletedTrial: true }, completed],
    [{ hasActiveSubscription: true }, subscribed],
    [{ hasCompletedTrial: true, licence: { ...licence, usageRemaining: 0 } }, completed],
  ] as const) {
    const { unmount } = open(eligibility(changes));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
    expect(screen.queryByText("Your trial is running")).toBeNull();
    expect(screen.getByRole("link", { name: "sales@planvarro.example" })).toBeTruthy();
    if ("licence" in changes)
      expect(screen.getByText(/^You have used all 20 conversions in your trial\./)).toBeTruthy();
    unmount();
  }
});

test("shows the days and conversions left in an active trial", async () => {
  open(eligibility({ hasCompletedTrial: true, daysLeft: 1, licence: { ...licence, usageRemaining: 17 } }));
  expect(await screen.findByRole("heading", { name: "Your trial is running" })).toBeTruthy();
  const text = "1 day left, until 9 Mar 2027, 12:05 pm AWST. 17 of 20 conversions left.";
  expect(screen.getByText(textWithTimes(text))).toBeTruthy();
  expect(screen.queryByText(completed)).toBeNull();
  expect(screen.getByRole("link", { name: "Go to My Account" }).getAttribute("href")).toBe("/my-account/");
});
