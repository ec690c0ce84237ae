import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { accessTokenOf, renderWeb, signedOut } from "#tests/support/render-web.tsx";
import { currentSession } from "#web/platform/session.ts";
import LoginPage from "#web/pages/public/login.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
});

const nothing = { session: null, problem: null, message: null, confirmationHandle: null };
const session = { accessToken: accessTokenOf(), refreshToken: "refresh-1", expiresIn: 600 };

function open(answer: Answer) {
  const asked = playApi({ SignIn: answer });
  return { asked, ...renderWeb(<LoginPage />, { at: "/login/" }) };
}

async function signIn({ user }: ReturnType<typeof open>, username = "ada@demo.test", password = "Demo-pass-1") {
  fill({ Username: username, Password: password });
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("the page is named, and offers registration and a new password", () => {
  open({});
  expect(screen.getByRole("heading", { level: 1, name: "Login" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Register Now" }).getAttribute("href")).toBe("/register/");
  expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
});

test("empty fields are named, and the first one takes the focus", async () => {
  const view = open({});
  await view.user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(document.activeElement).toBe(field("Username")));
  expect(messageUnder(field("Username"))).toBe("Username is required.");
  expect(messageUnder(field("Password"))).toBe("Password is required.");
  expect(view.asked).toEqual([]);
});

test("the right password opens a session", async () => {
  const view = open({ signIn: { ...nothing, session } });
  await signIn(view);
  await waitFor(() => expect(currentSession()?.accessToken).toBe(session.accessToken));
  expect(view.asked[0]?.variables).toEqual({ input: { email: "ada@demo.test", password: "Demo-pass-1" } });
});

test.each(["INVALID", "NOT_ACTIVE"])("%s shows the api's own sentence and keeps what was typed", async (problem) => {
  const view = open({ signIn: { ...nothing, problem, message: "Sorry, your account sleeps." } });
  await signIn(view);
  expect((await screen.findByRole("alert")).textContent).toBe("Sorry, your account sleeps.");
  expect(field("Username").value).toBe("ada@demo.test");
  expect(field("Password").value).toBe("Demo-pass-1");
  await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  expect(currentSession()).toBeNull();
});

test("an address that waits for its confirmation leads to the page that can send the link again", async () => {
  const confirmationHandle = "b1b4c7c2-0000-4000-8000-000000000001";
  const view = open({
    signIn: { ...nothing, problem: "NOT_CONFIRMED", message: "Please confirm.", confirmationHandle },
  });
  await signIn(view);
  await waitFor(() => expect(view.place()).toBe(`/email-confirmation/${confirmationHandle}/`));
});

test("no answer shows the fallback sentence, too many attempts the api's", async () => {
  playApi({});
  const { user } = renderWeb(<LoginPage />, { at: "/login/" });
  fill({ Username: "ada@demo.test", Password: "x" });
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Sorry, your user name or password is incorrect or we were unable to connect to the server.",
  );
  playApi({ SignIn: new Refusal("RATE_LIMITED", "Too many attempts. Please wait a little and try again.") });
  await user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^Too many attempts/));
});

test("a double click signs in once", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const view = open(() => promise);
  fill({ Username: "ada@demo.test", Password: "Demo-pass-1" });
  await view.user.dblClick(screen.getByRole("button", { name: "Login" }));
  resolve({ signIn: { ...nothing, session } });
  await waitFor(() => expect(currentSession()).not.toBeNull());
  expect(view.asked).toHaveLength(1);
});
