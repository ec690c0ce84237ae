import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { getSession } from "#web/platform/session.ts";
import ConfirmEmailPage from "#web/pages/public/confirm-email.tsx";
import { notify } from "#web/platform/notifications.ts";

const createTokens = (id: string): MockedResponse => ({
  confirmEmail: {
    session: { accessToken: createAccessToken({ id }), refreshToken: "refresh-confirmed", expiresIn: 600 },
    secondStep: null,
  },
});

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular", { id: "user-1" });
});

function open(answers: Record<string, MockedResponse>, at = "/confirm-email/?t=Secret_123-x") {
  const requests = mockApi(answers);
  const page = (
    <StrictMode>
      <ConfirmEmailPage />
    </StrictMode>
  );
  return { requests, ...renderWeb(page, { at }) };
}

test("confirms a signed-in user's new address and opens their account", async () => {
  const { requests, place } = open({ ConfirmEmail: createTokens("user-1") });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(requests).toHaveLength(1);
  expect(getSession()?.refreshToken).toBe("refresh-confirmed");
  expect(screen.getByText("You have successfully confirmed your email.")).toBeTruthy();
});

test("keeps the session if the link belongs to another account", async () => {
  const { place } = open({ ConfirmEmail: createTokens("user-2") });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(getSession()?.claims.id).toBe("user-1");
  expect(getSession()?.refreshToken).toBe("refresh-1");
});

test("keeps the session of an account with two-step sign-in and updates the address in it", async () => {
  const renewed = {
    accessToken: createAccessToken({ id: "user-1", email: "new@demo.test" }),
    refreshToken: "next",
    expiresIn: 600,
  };
  const { place } = open({
    ConfirmEmail: {
      confirmEmail: { session: null, secondStep: { challenge: "c", methods: { app: true, passkey: false } } },
    },
    RefreshSession: { refreshSession: renewed },
  });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(getSession()?.claims.email).toBe("new@demo.test");
  expect(screen.getByText("You have successfully confirmed your email.")).toBeTruthy();
});

test.each([
  [
    "an invalid link",
    new MockedError("BAD_USER_INPUT", "Some values."),
    "Sorry, that email confirmation token is invalid.",
  ],
  ["a server error", new MockedError("INTERNAL", "Oops, something went wrong."), "Unable to confirm your account."],
])("reports %s and opens the account", async (_, answer, message) => {
  const { place } = open({ ConfirmEmail: answer });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  expect(getSession()?.refreshToken).toBe("refresh-1");
});

test("opens the account without a request if there is no token", async () => {
  const { requests, place } = open({}, "/confirm-email/");
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(requests).toEqual([]);
});
