import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import LoginPage from "#web/access/sessions/login-page.tsx";
import LogoutPage from "#web/access/sessions/logout-page.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import { getSession } from "#web/platform/session.ts";

beforeEach(resetSession);

const emptyResult = { session: null, problem: null, message: null, confirmationHandle: null };
const session = { accessToken: createAccessToken(), refreshToken: "refresh-1", expiresIn: 600 };

function open(answer: MockedResponse) {
  const requests = mockApi({ SignIn: answer });
  return { requests, ...renderWeb(<LoginPage />, { at: "/login/" }) };
}

async function signIn({ user }: ReturnType<typeof open>, username = "ada@demo.test", password = "Demo-pass-1") {
  fill({ Username: username, Password: password });
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("links to registration and password reset, and reports empty fields and focuses the first one", async () => {
  const view = open({});
  expect(screen.getByRole("heading", { level: 1, name: "Login" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Register Now" }).getAttribute("href")).toBe("/register/");
  expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
  await view.user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(document.activeElement).toBe(field("Username")));
  expect(messageUnder(field("Username"))).toBe("Username is required.");
  expect(messageUnder(field("Password"))).toBe("Password is required.");
  expect(view.requests).toEqual([]);
});

test("shows the API's message under the focused password field and keeps the input", async () => {
  for (const problem of ["INVALID", "NOT_ACTIVE"]) {
    const view = open({ signIn: { ...emptyResult, problem, message: "Sorry, your account sleeps." } });
    await signIn(view);
    await waitFor(() => expect(messageUnder(field("Password"))).toBe("Sorry, your account sleeps."));
    expect([field("Username").value, field("Password").value]).toEqual(["ada@demo.test", "Demo-pass-1"]);
    await waitFor(() => expect(document.activeElement).toBe(field("Password")));
    expect(getSession()).toBeNull();
    view.unmount();
  }
});

test("opens the confirmation page for an unconfirmed address", async () => {
  const confirmationHandle = "b1b4c7c2-0000-4000-8000-000000000001";
  const view = open({
    signIn: { ...emptyResult, problem: "NOT_CONFIRMED", message: "Please confirm.", confirmationHandle },
  });
  await signIn(view);
  await waitFor(() => expect(view.place()).toBe(`/email-confirmation/${confirmationHandle}/`));
});

test("shows the fallback message if there is no response", async () => {
  mockApi({});
  const { user } = renderWeb(<LoginPage />, { at: "/login/" });
  fill({ Username: "ada@demo.test", Password: "x" });
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Sorry, your user name or password is incorrect or we were unable to connect to the server.",
  );
});

test("signs in once on a double click", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const view = open(() => promise);
  fill({ Username: "ada@demo.test", Password: "Demo-pass-1" });
  await view.user.dblClick(screen.getByRole("button", { name: "Login" }));
  resolve({ signIn: { ...emptyResult, session } });
  await waitFor(() => expect(getSession()?.accessToken).toBe(session.accessToken));
  expect(view.requests.map(({ variables }) => variables)).toEqual([
    { input: { email: "ada@demo.test", password: "Demo-pass-1" } },
  ]);
});

describe("signing out", () => {
  async function openLogout(expiresIn = 600) {
    const token = signInAs("regular", { expiresIn });
    const { place } = renderWeb(<LogoutPage />, { at: "/logout/" });
    await waitFor(() => expect(place()).toBe("/"));
    expect(getSession()).toBeNull();
    return token;
  }

  test("ends the session on the server, clears the storage and opens the home page", async () => {
    rememberTrialIntent();
    localStorage.setItem("mantine-color-scheme-value", "dark");
    sessionStorage.setItem("xer-portal.draft.contact-us.user-1", '{"message":"Dear support"}');
    const requests = mockApi({ SignOut: { signOut: { __typename: "DeletedObject", id: "1" } } });
    const token = await openLogout();
    expect(requests).toMatchObject([{ operation: "SignOut", token: `Bearer ${token}` }]);
    expect(Object.entries(localStorage)).toEqual([["mantine-color-scheme-value", "dark"]]);
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  test("also works if the server doesn't respond", async () => {
    mockApi({});
    await openLogout();
  });

  test.each([
    ["", 600],
    [" for a new token", 0],
  ])("stops waiting for a server that keeps the request%s open", async (_, expiresIn) => {
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
    vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
      setTimeout(() => timeout.abort());
      return new Promise((__, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    await openLogout(expiresIn);
  });
});
