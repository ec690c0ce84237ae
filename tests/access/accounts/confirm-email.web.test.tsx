import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { accessTokenOf, renderWeb, signedOut } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/guard.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import { currentSession } from "#web/platform/session.ts";
import ConfirmEmailPage from "#web/pages/public/confirm-email.tsx";
import { notify } from "#web/platform/notifications.ts";

const confirmEmail = {
  session: { accessToken: accessTokenOf(), refreshToken: "refresh-1", expiresIn: 600 },
  secondStep: null,
};
const invalid = new Refusal("BAD_USER_INPUT", "Some values are not valid.", { confirmationToken: ["Invalid."] });

beforeEach(() => {
  signedOut();
  notify.clear();
});

function open(answers: Record<string, Answer>, at = "/confirm-email/?t=Secret_123-x") {
  const asked = playApi(answers);
  const page = (
    <StrictMode>
      <Guard access={{ kind: "signed-out", otherwise: "/my-account/" }}>
        <ConfirmEmailPage />
      </Guard>
    </StrictMode>
  );
  return { asked, ...renderWeb(page, { at }) };
}

test("the secret behind the first three characters is posted once, also when React runs effects twice", async () => {
  const { asked, place } = open({ ConfirmEmail: { confirmEmail } });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(asked).toEqual([{ operation: "ConfirmEmail", variables: { confirmationToken: "Secret_123-x" }, token: null }]);
  expect(currentSession()?.refreshToken).toBe("refresh-1");
  expect(screen.getByRole("status").textContent).toBe("You have successfully confirmed your email.");
});

test("a remembered trial is the next page", async () => {
  rememberTrialIntent();
  const { place } = open({ ConfirmEmail: { confirmEmail } });
  await waitFor(() => expect(place()).toBe("/try-xer/"));
});

test.each([
  ["refused", "/confirm-email/?t=Secret", 1],
  ["missing", "/confirm-email/", 0],
])("a %s secret says so and shows the way on", async (_, at, calls) => {
  const { asked } = open({ ConfirmEmail: invalid }, at);
  expect(await screen.findByText("Sorry, that email confirmation token is invalid.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Login" })).toBeTruthy();
  expect(asked).toHaveLength(calls);
  expect(currentSession()).toBeNull();
});

test("no answer can be tried again with the same secret", async () => {
  const { user, place } = open({});
  expect(await screen.findByText("Unable to confirm your account.")).toBeTruthy();
  playApi({ ConfirmEmail: { confirmEmail } });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await waitFor(() => expect(place()).toBe("/my-account/"));
});
