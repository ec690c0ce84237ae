import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { openUpdateUser } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  signInAs("admin");
});

const summary = {
  __typename: "UserSummary",
  plan: null,
  planEndsAt: null,
  pastDueSince: null,
  pastDueCents: null,
  pastDueReason: null,
  nextRetryAt: null,
  lastSignInAt: null,
  lastDeviceAt: null,
  signInBlockedUntil: null,
};
const open = (changes: object, user: object = storedUser) =>
  openUpdateUser({ UserSummary: { userSummary: { ...summary, ...changes } } }, user);

test("shows who the user is, the plan, the debt and the latest activity", async () => {
  await open({
    plan: "Professional, monthly",
    planEndsAt: "2027-09-23T02:00:00Z",
    pastDueSince: "2026-11-03T02:00:00Z",
    pastDueCents: 16_495,
    pastDueReason: "The card has expired",
    nextRetryAt: "2026-11-07T02:00:00Z",
    lastSignInAt: "2026-11-01T00:00:00Z",
    lastDeviceAt: "2026-11-20T00:00:00Z",
  });
  for (const text of ["Ada Byron", "Analytical Planning", "ada@demo.test", "Regular", "Active"])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(await screen.findByText("Past due A$164.95 since 3 Nov 2026")).toBeTruthy();
  expect(screen.getByText("The card has expired. Next retry 7 Nov 2026.")).toBeTruthy();
  expect(screen.getByText("Professional, monthly, ends 23 Sep 2027")).toBeTruthy();
  expect(screen.getByText(/^Last activity: licence check 20 Nov 2026/)).toBeTruthy();
});

test("marks archived, unconfirmed and blocked users", async () => {
  await open({ signInBlockedUntil: "2026-11-26T02:00:00Z" }, { ...storedUser, isActive: false, emailConfirmed: false });
  expect(await screen.findByText(/^Sign-in blocked until .* \(too many wrong passwords\)$/)).toBeTruthy();
  expect(screen.getByText("Archived")).toBeTruthy();
  expect(screen.getByText("Email not confirmed")).toBeTruthy();
  expect(screen.getByText("No subscription")).toBeTruthy();
  expect(screen.getByText("No activity yet")).toBeTruthy();
  expect(screen.queryByText(/Past due/)).toBeNull();
});

test("names other admins who have the form open, and reports when it closes", async () => {
  const { requests, user } = await openUpdateUser({
    ReportOpenForm: {
      reportOpenForm: [
        { __typename: "OtherEditor", name: "Grace Hopper", since: "2026-11-26T02:00:00Z" },
        { __typename: "OtherEditor", name: "Mary Ward", since: "2026-11-26T02:00:00Z" },
      ],
    },
  });
  expect(await screen.findByText("Grace Hopper and Mary Ward")).toBeTruthy();
  expect(screen.getByText("also have this form open.", { exact: false })).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  await waitFor(() => {
    const sent = requests.filter(({ operation }) => operation === "ReportOpenForm").map(({ variables }) => variables);
    expect(sent.map(({ isOpen }) => isOpen)).toEqual([true, false]);
    expect(sent[1]?.tabId).toBe(sent[0]?.tabId);
  });
});
