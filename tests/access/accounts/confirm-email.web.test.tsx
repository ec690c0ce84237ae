import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import { getSession } from "#web/platform/session.ts";
import ConfirmEmailPage from "#web/pages/public/confirm-email.tsx";
import { notify } from "#web/platform/notifications.ts";

const confirmEmail = {
  session: { accessToken: createAccessToken(), refreshToken: "refresh-1", expiresIn: 600 },
  secondStep: null,
};
const invalid = new MockedError("BAD_USER_INPUT", "Some values are not valid.", { confirmationToken: ["Invalid."] });

beforeEach(() => {
  resetSession();
  notify.clear();
});

function open(answers: Record<string, MockedResponse>, at = "/confirm-email/?t=Secret_123-x") {
  const requests = mockApi(answers);
  const page = (
    <StrictMode>
      <Guard access={{ kind: "signed-out", otherwise: "/my-account/" }}>
        <ConfirmEmailPage />
      </Guard>
    </StrictMode>
  );
  return { requests, ...renderWeb(page, { at }) };
}

test("sends the token once, even if React runs effects twice", async () => {
  const { requests, place } = open({ ConfirmEmail: { confirmEmail } });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(requests).toEqual([
    { operation: "ConfirmEmail", variables: { confirmationToken: "Secret_123-x" }, token: null },
  ]);
  expect(getSession()?.refreshToken).toBe("refresh-1");
  expect(screen.getByRole("status").textContent).toBe("You have successfully confirmed your email.");
});

test("opens the trial page if a trial was requested earlier", async () => {
  rememberTrialIntent();
  const { place } = open({ ConfirmEmail: { confirmEmail } });
  await waitFor(() => expect(place()).toBe("/try-xer/"));
});

test.each([
  ["rejected", "/confirm-email/?t=Secret", 1],
  ["missing", "/confirm-email/", 0],
])("reports a %s token and links to the login page", async (_, at, calls) => {
  const { requests } = open({ ConfirmEmail: invalid }, at);
  expect(await screen.findByText("Sorry, that email confirmation token is invalid.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Login" })).toBeTruthy();
  expect(requests).toHaveLength(calls);
  expect(getSession()).toBeNull();
});

test("retries with the same token after a failure", async () => {
  const { user, place } = open({});
  expect(await screen.findByText("Unable to confirm your account.")).toBeTruthy();
  mockApi({ ConfirmEmail: { confirmEmail } });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(place()).toBe("/my-account/"));
});
