import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { accessTokenOf, renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { currentSession } from "#web/platform/session.ts";
import ConfirmEmailPage from "#web/pages/public/confirm-email.tsx";
import { notify } from "#web/platform/notifications.ts";

const tokensOf = (id: string): Answer => ({
  confirmEmail: {
    session: { accessToken: accessTokenOf({ id }), refreshToken: "refresh-confirmed", expiresIn: 600 },
    secondStep: null,
  },
});

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("regular", { id: "user-1" });
});

function open(answers: Record<string, Answer>, at = "/confirm-email/?t=Secret_123-x") {
  const asked = playApi(answers);
  const page = (
    <StrictMode>
      <ConfirmEmailPage />
    </StrictMode>
  );
  return { asked, ...renderWeb(page, { at }) };
}

test("someone signed in confirms their new address on the way to their account", async () => {
  const { asked, place } = open({ ConfirmEmail: tokensOf("user-1") });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(asked).toHaveLength(1);
  expect(currentSession()?.refreshToken).toBe("refresh-confirmed");
  expect(screen.getByText("You have successfully confirmed your email.")).toBeTruthy();
});

test("a link of another account does not change who is signed in", async () => {
  const { place } = open({ ConfirmEmail: tokensOf("user-2") });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(currentSession()?.claims.id).toBe("user-1");
  expect(currentSession()?.refreshToken).toBe("refresh-1");
});

test("an account with two-step sign-in keeps its session, which then tells the new address", async () => {
  const renewed = {
    accessToken: accessTokenOf({ id: "user-1", email: "new@demo.test" }),
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
  expect(currentSession()?.claims.email).toBe("new@demo.test");
  expect(screen.getByText("You have successfully confirmed your email.")).toBeTruthy();
});

test.each([
  ["invalid", new Refusal("BAD_USER_INPUT", "Some values."), "Sorry, that email confirmation token is invalid."],
  ["unanswered", new Refusal("INTERNAL", "Oops, something went wrong."), "Unable to confirm your account."],
])("an %s link says so and leads to the account", async (_, answer, said) => {
  const { place } = open({ ConfirmEmail: answer });
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect((await screen.findByRole("alert")).textContent).toBe(said);
  expect(currentSession()?.refreshToken).toBe("refresh-1");
});

test("without a link the account is next, and nothing is asked", async () => {
  const { asked, place } = open({}, "/confirm-email/");
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(asked).toEqual([]);
});
