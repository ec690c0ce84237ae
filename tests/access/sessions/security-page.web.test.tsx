import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { MockedError, type MockedResponse, mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { AccountActivity, NotMeButton, AccountAccess } from "#web/access/sessions/security-page.tsx";
import NotMePage from "#web/access/sessions/not-me.tsx";
import DataLayer from "#web/platform/data-layer.tsx";

beforeEach(resetSession);

const ended = { sessionsEnded: 1, tokensRevoked: 0, webhooksPaused: 0, email: "ada@demo.test" };

function openActivity(answers: Record<string, MockedResponse>) {
  signInAs("regular");
  const requests = mockApi(answers);
  const view = renderWeb(
    <DataLayer>
      <NotMeButton />
      <AccountActivity />
    </DataLayer>,
  );
  return { requests, ...view };
}

test("lists what happened with address and time, and secures the account after a confirmation", async () => {
  const row = { id: "1", at: "2026-09-03T14:07:00.000Z", kind: "SIGNED_IN", description: "Signed in: Portal" };
  const view = openActivity({
    AccountActivity: { accountActivity: { rows: [{ ...row, address: "203.0.113.7" }] } },
    SecureMyAccount: { secureMyAccount: ended },
  });
  expect((await screen.findByRole("listitem")).textContent).toMatch(/^Signed in: Portal 203\.0\.113\.7, .*Sep.* 2026/);
  expect(document.querySelector("time")?.title).toMatch(/UTC$/);
  await view.user.click(screen.getByRole("button", { name: "This wasn't me" }));
  expect(view.requests.map(({ operation }) => operation)).not.toContain("SecureMyAccount");
  await view.user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Secure account" }));
  expect(await screen.findByText(/We emailed a link for a new password to ada@demo.test/)).toBeTruthy();
});

function openLink(answers: Record<string, MockedResponse>, at = "/not-me/?t=Secret_123-x") {
  const requests = mockApi(answers);
  return { requests, ...renderWeb(<NotMePage />, { at }) };
}

test("the emailed link secures the account after a click and opens the form for a new password", async () => {
  const view = openLink({ SecureAccountByLink: { secureAccountByLink: ended } });
  expect(view.requests).toEqual([]);
  await view.user.click(screen.getByRole("button", { name: "Secure my account" }));
  await waitFor(() => expect(view.place()).toBe("/reset-password/?t=Secret_123-x"));
});

test("an invalid or missing link leads to the reset of the password", async () => {
  const view = openLink({ SecureAccountByLink: new MockedError("BAD_USER_INPUT", "Not valid.", { token: ["x"] }) });
  await view.user.click(screen.getByRole("button", { name: "Secure my account" }));
  expect(await screen.findByText("Sorry, this link is invalid.")).toBeTruthy();
  view.unmount();
  openLink({}, "/not-me/");
  expect(screen.getByRole("link", { name: "Forgot Password" })).toBeTruthy();
});

function openAccess(rows: object[]) {
  signInAs("regular");
  mockApi({ AccountAccess: { accountAccess: { rows } } });
  return renderWeb(
    <DataLayer>
      <AccountAccess />
    </DataLayer>,
  );
}

test("lists what staff did, with their role and the time, or says that they did nothing", async () => {
  const description = "Viewed the portal as the customer";
  const { unmount } = openAccess([{ at: "2026-09-03T14:07:00.000Z", kind: "VIEWED", role: "Support", description }]);
  const row = await screen.findByRole("listitem");
  expect(row.textContent).toMatch(/^Viewed the portal as the customer Support, .*Sep.* 2026/);
  unmount();
  // A warning about equal keys fails the test.
  const change = { at: "2026-09-03T14:07:00.000Z", kind: "CHANGED", role: "Support", description: "Changed a licence" };
  const equal = openAccess([change, change]);
  expect(await screen.findAllByRole("listitem")).toHaveLength(2);
  equal.unmount();
  openAccess([]);
  expect(await screen.findByText("Our staff haven't viewed or changed your account.")).toBeTruthy();
});
