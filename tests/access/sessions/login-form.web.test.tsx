import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { getSession } from "#web/platform/session.ts";
import LoginPage from "#web/pages/public/login.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
});

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

test("shows the title and links to registration and password reset", () => {
  open({});
  expect(screen.getByRole("heading", { level: 1, name: "Login" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Register Now" }).getAttribute("href")).toBe("/register/");
  expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
});

test("reports empty fields and focuses the first one", async () => {
  const view = open({});
  await view.user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(document.activeElement).toBe(field("Username")));
  expect(messageUnder(field("Username"))).toBe("Username is required.");
  expect(messageUnder(field("Password"))).toBe("Password is required.");
  expect(view.requests).toEqual([]);
});

test("starts a session after the correct password", async () => {
  const view = open({ signIn: { ...emptyResult, session } });
  await signIn(view);
  await waitFor(() => expect(getSession()?.accessToken).toBe(session.accessToken));
  expect(view.requests[0]?.variables).toEqual({ input: { email: "ada@demo.test", password: "Demo-pass-1" } });
});

test.each(["INVALID", "NOT_ACTIVE"])("shows the API's message after %s and keeps the input", async (problem) => {
  const view = open({ signIn: { ...emptyResult, problem, message: "Sorry, your account sleeps." } });
  await signIn(view);
  expect((await screen.findByRole("alert")).textContent).toBe("Sorry, your account sleeps.");
  expect(field("Username").value).toBe("ada@demo.test");
  expect(field("Password").value).toBe("Demo-pass-1");
  await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  expect(getSession()).toBeNull();
});

test("opens the confirmation page for an unconfirmed address", async () => {
  const confirmationHandle = "b1b4c7c2-0000-4000-8000-000000000001";
  const view = open({
    signIn: { ...emptyResult, problem: "NOT_CONFIRMED", message: "Please confirm.", confirmationHandle },
  });
  await signIn(view);
  await waitFor(() => expect(view.place()).toBe(`/email-confirmation/${confirmationHandle}/`));
});

test("shows the fallback message if there is no response, and the API's message after too many attempts", async () => {
  mockApi({});
  const { user } = renderWeb(<LoginPage />, { at: "/login/" });
  fill({ Username: "ada@demo.test", Password: "x" });
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Sorry, your user name or password is incorrect or we were unable to connect to the server.",
  );
  mockApi({ SignIn: new MockedError("RATE_LIMITED", "Too many attempts. Please wait a little and try again.") });
  await user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^Too many attempts/));
});

test("signs in once on a double click", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const view = open(() => promise);
  fill({ Username: "ada@demo.test", Password: "Demo-pass-1" });
  await view.user.dblClick(screen.getByRole("button", { name: "Login" }));
  resolve({ signIn: { ...emptyResult, session } });
  await waitFor(() => expect(getSession()).not.toBeNull());
  expect(view.requests).toHaveLength(1);
});
