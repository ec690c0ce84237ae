import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
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
const listed = (...sessions: ReturnType<typeof session>[]): Mock => ({
  request: { query: UserSessionsDocument, variables: { id: "user-7" } },
  result: { data: { user: { __typename: "User", id: "user-7", firstName: "Ada", lastName: "Lövgren", sessions } } },
});
const ending = (result: object): Mock => ({
  request: { query: EndSessionsOfDocument, variables: { userId: "user-7" } },
  result,
});
const laptop = session("1", "Firefox on Linux");
const phone = session("2", "Safari on iPhone");

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin");
});

const open = (...mocks: Mock[]) =>
  renderWeb(
    <MockedProvider mocks={mocks}>
      <UserSessionsPanel userId="user-7" />
    </MockedProvider>,
  );

test("an admin reads where a user is signed in, and ends no single one", async () => {
  open(listed(laptop, phone));
  expect(await screen.findByRole("heading", { level: 3, name: "Firefox on Linux" })).toBeTruthy();
  expect(screen.getByText("Signed in 2 times.")).toBeTruthy();
  expect(screen.getAllByText("203.0.113.7")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "End" })).toBeNull();
});

test("Sign Out Everywhere asks first, says it, and shows what is left", async () => {
  const { user } = open(listed(laptop, phone), ending({ data: { endSessionsOf: 2 } }), listed());
  await user.click(await screen.findByRole("button", { name: "Sign Out Everywhere" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sign Out Everywhere" }));
  expect(dialog.getByText(/Ada Lövgren will be signed out at once/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The user has been signed out everywhere.")).toBeTruthy();
  expect(await screen.findByText("Not signed in anywhere.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign Out Everywhere" })).toBeNull();
});

test("a failure is said, and everything stays", async () => {
  const refusal = { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] };
  const { user } = open(listed(laptop), ending(refusal), listed(laptop));
  await user.click(await screen.findByRole("button", { name: "Sign Out Everywhere" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to sign the user out.");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Firefox on Linux" })).toBeTruthy());
});

test("on the admin's own account this session is kept, and with it alone there is nothing to end", async () => {
  open(listed(session("1", "Firefox on Linux", true)));
  expect(await screen.findByText("This session")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign Out Everywhere" })).toBeNull();
});

test("what can't be fetched says so and can be fetched again", async () => {
  const refusal = new GraphQLError("", { extensions: { code: "INTERNAL" } });
  const { user } = open({ ...listed(), result: { errors: [refusal] } }, listed());
  expect(await screen.findByText("Unable to fetch the user's sessions.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText("Not signed in anywhere.")).toBeTruthy();
});
