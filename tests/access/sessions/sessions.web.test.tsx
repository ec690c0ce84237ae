import { screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, test, vi } from "vitest";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { SignInTab, UserSessionsPanel } from "#web/access/sessions/user-sessions-panel.tsx";
import {
  EndOtherSessionsDocument,
  EndSessionDocument,
  EndSessionsOfDocument,
  SessionsDocument,
  TokensOfUserDocument,
  UserSessionsDocument,
} from "#web/generated/graphql.ts";
import SessionsPage from "#web/access/sessions/sessions.tsx";

const session = (id: string, browser: string, isCurrent = false) => ({
  id,
  browser,
  ip: `203.0.113.${id}`,
  signedInAt: "2026-09-03T14:07:00.000Z",
  lastUsedAt: "2026-09-30T23:59:00.000Z",
  isCurrent,
});
const here = session("1", "Firefox on Linux", true);
const phone = session("2", "Safari on iPhone");
const office = session("3", "Edge on Windows");

const listSessions = (...sessions: object[]) => mockQuery(SessionsDocument).returns({ me: { id: "user-1", sessions } });
const ending = mockQuery(EndSessionDocument, { id: "2" });

function open(mocks: Mock[]) {
  startAs("regular");
  return renderMocked(mocks, <SessionsPage />, "/sessions/");
}

const card = async (name: string) => within((await screen.findByRole("heading", { level: 2, name })).closest("li")!);

test("shows the browser, IP address and local times, and marks the current session, which has no button to end it", async () => {
  open([listSessions(here, phone)]);
  expect(screen.getByRole("heading", { level: 1, name: "Active sessions" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Security" }).getAttribute("href")).toBe("/security/");
  const mine = await card("Firefox on Linux");
  expect(mine.getByText("This session")).toBeTruthy();
  expect(mine.queryByRole("button")).toBeNull();
  const other = await card("Safari on iPhone");
  expect(other.queryByText("This session")).toBeNull();
  for (const part of ["203.0.113.2", "3 Sep 2026, 10:07 pm AWST", "1 Oct 2026, 7:59 am AWST"])
    expect(other.getByText(part)).toBeTruthy();
  expect(screen.getByText("2 active sessions")).toBeTruthy();
});

test("ends a session after confirmation, reports it and moves the focus", async () => {
  const { user } = open([listSessions(here, phone), ending.returns({ endSession: {} }), listSessions(here)]);
  await user.click((await card("Safari on iPhone")).getByRole("button", { name: "End session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session" }));
  expect(dialog.getByText("Safari on iPhone at 203.0.113.2 will be signed out.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "End session" }));
  expect(await screen.findByText("You have ended the session.")).toBeTruthy();
  const count = await screen.findByText("You are only signed in here.");
  await waitFor(() => expect(document.activeElement).toBe(count));
  expect(screen.queryByRole("heading", { name: "Safari on iPhone" })).toBeNull();
  expect(screen.queryByRole("button", { name: "End other sessions" })).toBeNull();
});

test("ends all other sessions after confirmation", async () => {
  const all = mockQuery(EndOtherSessionsDocument).returns({ endOtherSessions: { count: 2 } });
  const { user } = open([listSessions(here, phone, office), all, listSessions(here)]);
  await user.click(await screen.findByRole("button", { name: "End other sessions" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End other sessions" }));
  expect(dialog.getByText(/signed out everywhere except here/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "End sessions" }));
  expect(await screen.findByText("You have ended all other sessions.")).toBeTruthy();
  expect(await screen.findByText("You are only signed in here.")).toBeTruthy();
});

test.each([
  ["can't be ended, which stays in the list", ending.fails(), [here, phone], "Unable to end the session."],
  ["had already ended", ending.fails("NOT_FOUND", "Not found."), [here], "That session had already ended."],
])("reports a session that %s", async (_what, error, left, message) => {
  const { user } = open([listSessions(here, { ...phone, ip: "" }), error, listSessions(...left)]);
  await user.click((await card("Safari on iPhone")).getByRole("button", { name: "End session" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Safari on iPhone will be signed out.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "End session" }));
  expect(await screen.findByText(message)).toBeTruthy();
});

describe("a user's sessions, as admins see them", () => {
  const listOfUser = (...sessions: object[]) =>
    mockQuery(UserSessionsDocument, { id: "user-7" }).returns({
      user: { id: "user-7", firstName: "Ada", lastName: "Lövgren", sessions },
    });
  const endAll = mockQuery(EndSessionsOfDocument, { userId: "user-7" });
  const laptop = session("4", "Firefox on Linux");

  function openPanel(...mocks: Mock[]) {
    return openPart(<UserSessionsPanel userId="user-7" />, mocks);
  }

  function openPart(part: ReactNode, mocks: Mock[]) {
    startAs("admin");
    const view = renderMocked(mocks, part);
    const signOut = async () => {
      await view.user.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
      const dialog = within(await screen.findByRole("dialog", { name: "Sign out everywhere" }));
      expect(dialog.getByText(/Ada Lövgren will be signed out of every browser/)).toBeTruthy();
      await view.user.click(dialog.getByRole("button", { name: "Sign out" }));
    };
    return { ...view, signOut };
  }

  test("can be ended only together, after confirmation", async () => {
    const unchanged = vi.fn(() => listOfUser(laptop, phone).result as object);
    const { user, signOut } = openPanel(
      failing(listOfUser()),
      listOfUser(laptop, phone),
      endAll.fails(),
      { ...listOfUser(), result: unchanged },
      endAll.returns({ endSessionsOf: { count: 2 } }),
      listOfUser(),
    );
    expect(await screen.findByText("Unable to fetch the user's sessions.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 3, name: "Firefox on Linux" })).toBeTruthy();
    expect(screen.getByText("2 active sessions")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "End session" })).toBeNull();
    await signOut();
    expect((await screen.findByRole("alert")).textContent).toBe("Unable to sign the user out.");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(unchanged).toHaveBeenCalled());
    await signOut();
    expect(await screen.findByText("The user has been signed out everywhere.")).toBeTruthy();
    expect(await screen.findByText("No active sessions.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Sign out everywhere" })).toBeNull();
  });

  test("end with the tokens, which the list next to them no longer shows", async () => {
    const tokens = (...personalAccessTokens: object[]) =>
      mockQuery(TokensOfUserDocument, { id: "user-7" }).returns({ user: { id: "user-7", personalAccessTokens } });
    const { signOut } = openPart(<SignInTab userId="user-7" />, [
      listOfUser(laptop),
      tokens({ id: "token-1", name: "Nightly export", expiresAt: "2099-01-01T00:00:00.000Z" }),
      endAll.returns({ endSessionsOf: { count: 1 } }),
      listOfUser(),
      tokens(),
    ]);
    expect(await screen.findByText("Nightly export")).toBeTruthy();
    await signOut();
    expect(await screen.findByText("No personal access tokens.")).toBeTruthy();
  });

  test("have no button if the admin's own account has only the current session", async () => {
    openPanel(listOfUser(here));
    expect(await screen.findByText("This session")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Sign out everywhere" })).toBeNull();
  });
});
