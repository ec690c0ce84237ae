import { screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";
import ConfirmEmailPage from "#web/access/accounts/confirm-email.tsx";
import LoginPage from "#web/access/sessions/login-page.tsx";
import ResetPasswordPage from "#web/access/accounts/reset-password.tsx";

const webauthn = vi.hoisted(() => ({ browserSupportsWebAuthn: vi.fn(), startAuthentication: vi.fn() }));
vi.mock("@simplewebauthn/browser", () => webauthn);

beforeEach(() => {
  resetSession();
  webauthn.browserSupportsWebAuthn.mockReturnValue(true);
});

const session = { accessToken: createAccessToken(), refreshToken: "refresh-1", expiresIn: 600 };
const createSecondStep = (methods: { app: boolean; passkey: boolean }) => ({
  session: null,
  problem: "TWO_STEP_REQUIRED",
  message: "Please continue.",
  confirmationHandle: null,
  secondStep: { challenge: "challenge-1", methods },
});
const both = { app: true, passkey: true };
const completed = (changes: object) => ({
  completeSignIn: { session: null, problem: null, message: null, ...changes },
});

async function open(
  answers: Record<string, MockedResponse>,
  { methods = both, at = "/login/" }: { methods?: { app: boolean; passkey: boolean }; at?: string } = {},
) {
  const requests = mockApi({ SignIn: { signIn: createSecondStep(methods) }, ...answers });
  const page = (
    <Routes>
      <Route
        path="/login/"
        element={
          <Guard access={{ kind: "signed-out" }}>
            <LoginPage />
          </Guard>
        }
      />
      <Route path="*" element={null} />
    </Routes>
  );
  const view = renderWeb(page, { at });
  fill({ Username: "ada@demo.test", Password: "Demo-pass-1" });
  await view.user.click(screen.getByRole("button", { name: "Login" }));
  await screen.findByRole("heading", { level: 2, name: "Second step" });
  return { requests, ...view, press: (name: string) => view.user.click(screen.getByRole("button", { name })) };
}

test("opens the requested page after a correct code", async () => {
  const view = await open({ CompleteSignIn: completed({ session }) }, { at: "/login/?returnUrl=%2Fsessions%2F" });
  fill({ Code: "123456" });
  await view.press("Continue");
  await waitFor(() => expect(view.place()).toBe("/sessions/"));
  expect(view.requests.at(-1)?.variables).toEqual({ input: { challenge: "challenge-1", code: "123456" } });
});

test("requests a one-time code and reports an empty or wrong one, or when to try again", async () => {
  const view = await open({ CompleteSignIn: completed({ problem: "INVALID", message: "That code is incorrect." }) });
  await waitFor(() => expect(document.activeElement).toBe(field("Code")));
  expect([field("Code").autocomplete, field("Code").inputMode]).toEqual(["one-time-code", "numeric"]);
  expect(getSession()).toBeNull();
  await view.press("Continue");
  await waitFor(() => expect(messageUnder(field("Code"))).toBe("Code is required."));
  fill({ Code: "000000" });
  await view.press("Continue");
  await waitFor(() => expect(messageUnder(field("Code"))).toBe("That code is incorrect."));
  await waitFor(() => expect(document.activeElement).toBe(field("Code")));
  const message = "Too many wrong codes. Please try again in 42 minutes.";
  mockApi({ CompleteSignIn: new MockedError("RATE_LIMITED", message) });
  await view.press("Continue");
  expect(await screen.findByText(message)).toBeTruthy();
});

test("returns to the login form with the username filled in if the sign-in has ended", async () => {
  const view = await open({
    CompleteSignIn: completed({ problem: "TWO_STEP_ENDED", message: "Please sign in again." }),
  });
  fill({ Code: "123456" });
  await view.press("Continue");
  await screen.findByRole("button", { name: "Login" });
  expect(screen.getByRole("alert").textContent).toBe("Please sign in again.");
  expect([field("Username").value, field("Password").value]).toEqual(["ada@demo.test", ""]);
});

test("switches between app codes and recovery codes and signs in with a recovery code", async () => {
  const methods = { app: true, passkey: false };
  const view = await open({ CompleteSignIn: completed({ session }) }, { methods });
  expect(screen.queryByRole("button", { name: "Use a passkey" })).toBeNull();
  await view.press("Use a recovery code");
  fill({ "Recovery code": "ABCD-EFGH-JKMN-PQRS" });
  await view.press("Use the authenticator app");
  expect(field("Code").value).toBe("");
  await view.press("Use a recovery code");
  fill({ "Recovery code": "ABCD-EFGH-JKMN-PQRS" });
  await view.press("Continue");
  await waitFor(() => expect(getSession()).not.toBeNull());
  expect(view.requests.at(-1)?.variables).toEqual({ input: { challenge: "challenge-1", code: "ABCD-EFGH-JKMN-PQRS" } });
});

test("reports a cancelled passkey, allows another attempt, and reports a browser without passkeys", async () => {
  webauthn.startAuthentication.mockRejectedValue(new DOMException("", "NotAllowedError"));
  const begun = { BeginPasskeySignIn: { beginPasskeySignIn: { __typename: "PasskeyOptions", options: "{}" } } };
  const view = await open(begun, { methods: { app: false, passkey: true } });
  expect(screen.queryByRole("button", { name: "Use the authenticator app" })).toBeNull();
  await view.press("Use a passkey");
  expect((await screen.findByRole("alert")).textContent).toMatch(/^No passkey was used/);
  webauthn.browserSupportsWebAuthn.mockReturnValue(false);
  await view.press("Use a passkey");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^This browser doesn't support passkeys/));
});

test("requires the second step after a password reset", async () => {
  mockApi({
    IsResetTokenValid: { isResetTokenValid: true },
    ResetPassword: { resetPassword: { session: null, secondStep: { challenge: "c", methods: both } } },
    CompleteSignIn: completed({ session }),
  });
  const { user } = renderWeb(<ResetPasswordPage />, { at: "/reset-password/?t=Secret_123-x" });
  await screen.findByLabelText("New password");
  fill({ "New password": "Gantt-charts-44", "Confirm password": "Gantt-charts-44" });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await screen.findByRole("heading", { name: "Second step" });
  expect(getSession()).toBeNull();
  fill({ Code: "123456" });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(getSession()).not.toBeNull());
});

test("requires the second step after confirming an address and returns to the login page on request", async () => {
  mockApi({ ConfirmEmail: { confirmEmail: { session: null, secondStep: { challenge: "c", methods: both } } } });
  const view = renderWeb(<ConfirmEmailPage />, { at: "/confirm-email/?t=Secret_123-x" });
  await screen.findByRole("heading", { name: "Second step" });
  expect(getSession()).toBeNull();
  await view.user.click(screen.getByRole("button", { name: "Sign in again" }));
  await waitFor(() => expect(view.place()).toBe("/login/"));
});
