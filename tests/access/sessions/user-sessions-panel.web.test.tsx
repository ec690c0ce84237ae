import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { UserSessionsPanel } from "#web/access/sessions/user-sessions-panel.tsx";
import { EndSessionsOfDocument, UserSessionsDocument } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

const session = (id: string, browser: string, isCurrent = false) => ({
  __typename: "UserSession",
  id,
  browser,
  ip: "203.0.113.7",
  signedInAt: "2026-09-03T14:07:00.000Z",
  lastUsedAt: "2026-09-30T23:59:00.000Z",
  isCurrent,
});
const listSessions = (...sessions: ReturnType<typeof session>[]): Mock => ({
  request: { query: UserSessionsDocument, variables: { id: "user-7" } },
  result: { data: { user: { __typename: "User", id: "user-7", firstName: "Ada", lastName: "Lövgren", sessions } } },
});
const endSessions = (result: object): Mock => ({
  request: { query: EndSessionsOfDocument, variables: { userId: "user-7" } },
  result,
});
const laptop = session("1", "Firefox on Linux");
const phone = session("2", "Safari on iPhone");

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

const open = (...mocks: Mock[]) =>
  renderWeb(
    <MockedProvider mocks={mocks}>
      <UserSessionsPanel userId="user-7" />
    </MockedProvider>,
  );

test("shows admins a user's sessions without buttons to end individual ones", async () => {
  open(listSessions(laptop, phone));
  expect(await screen.findByRole("heading", { level: 3, name: "Firefox on Linux" })).toBeTruthy();
  expect(screen.getByText("2 active sessions")).toBeTruthy();
  expect(screen.getAllByText("203.0.113.7")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "End session" })).toBeNull();
});

test("signs the user out everywhere after confirmation and refreshes the list", async () => {
  const { user } = open(listSessions(laptop, phone), endSessions({ data: { endSessionsOf: 2 } }), listSessions());
  await user.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sign out everywhere" }));
  expect(dialog.getByText(/Ada Lövgren will be signed out of every browser/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The user has been signed out everywhere.")).toBeTruthy();
  expect(await screen.findByText("No active sessions.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign out everywhere" })).toBeNull();
});

test("reports a failure and keeps the sessions", async () => {
  const refusal = { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] };
  const { user } = open(listSessions(laptop), endSessions(refusal), listSessions(laptop));
  await user.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to sign the user out.");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Firefox on Linux" })).toBeTruthy());
});

test("hides the button if the admin's own account has only the current session", async () => {
  open(listSessions(session("1", "Firefox on Linux", true)));
  expect(await screen.findByText("This session")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign out everywhere" })).toBeNull();
});

test("reports a failed load and loads the sessions again on request", async () => {
  const refusal = new GraphQLError("", { extensions: { code: "INTERNAL" } });
  const { user } = open({ ...listSessions(), result: { errors: [refusal] } }, listSessions());
  expect(await screen.findByText("Unable to fetch the user's sessions.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No active sessions.")).toBeTruthy();
});
