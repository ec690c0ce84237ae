import { screen, waitFor, within } from "@testing-library/react";
import { StrictMode } from "react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, describe, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import ConfirmEmailPage from "#web/access/accounts/confirm-email.tsx";
import EmailConfirmationPage from "#web/access/accounts/email-confirmation-panel.tsx";
import UndoEmailChangePage from "#web/access/accounts/undo-email-change.tsx";
import { hasAcceptedTrial, rememberTrialIntent } from "#web/platform/landing.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";

beforeEach(resetSession);

const invalidMessage = "Sorry, that email confirmation token is invalid.";
const press = (name: string, { user }: ReturnType<typeof renderWeb>) =>
  user.click(screen.getByRole("button", { name }));

describe("confirmation link", () => {
  const confirmed = (id?: string) => ({
    confirmEmail: {
      session: { accessToken: createAccessToken(id ? { id } : {}), refreshToken: "refresh-2", expiresIn: 600 },
      secondStep: null,
    },
  });
  const rejected = new MockedError("BAD_USER_INPUT", "Some values.", { confirmationToken: ["Invalid."] });
  const link = "/confirm-email/?t=Secret_123-x";

  function open(answers: Record<string, MockedResponse>, at = link) {
    const requests = mockApi(answers);
    const page = getSession() ? (
      <ConfirmEmailPage />
    ) : (
      <Guard access={{ kind: "signed-out", otherwise: "/my-account/" }}>
        <ConfirmEmailPage />
      </Guard>
    );
    return { requests, ...renderWeb(<StrictMode>{page}</StrictMode>, { at }) };
  }

  test("sends the token once, even if React runs effects twice", async () => {
    const { requests, place } = open({ ConfirmEmail: confirmed() });
    await waitFor(() => expect(place()).toBe("/my-account/"));
    expect(requests).toEqual([
      { operation: "ConfirmEmail", variables: { confirmationToken: "Secret_123-x" }, token: null },
    ]);
    expect(getSession()?.refreshToken).toBe("refresh-2");
    expect(screen.getByRole("status").textContent).toBe("You have successfully confirmed your email.");
  });

  test("opens the trial page if a trial was requested earlier", async () => {
    rememberTrialIntent();
    const { place } = open({ ConfirmEmail: confirmed() });
    await waitFor(() => expect(place()).toBe("/try-xer/"));
    expect(hasAcceptedTrial()).toBe(false);
  });

  test("lets the trial start by itself if its terms were accepted at registration", async () => {
    const { confirmEmail } = confirmed();
    const { place } = open({ ConfirmEmail: { confirmEmail: { ...confirmEmail, startsTrial: true } } });
    await waitFor(() => expect(place()).toBe("/try-xer/"));
    expect(hasAcceptedTrial()).toBe(true);
  });

  test("reports a rejected or missing token and links to the login page", async () => {
    for (const [at, calls] of [
      [link, 1],
      ["/confirm-email/", 0],
    ] as const) {
      const { requests, unmount } = open({ ConfirmEmail: rejected }, at);
      expect(await screen.findByText(invalidMessage)).toBeTruthy();
      expect(screen.getByRole("link", { name: "Login" })).toBeTruthy();
      expect(requests).toHaveLength(calls);
      expect(getSession()).toBeNull();
      unmount();
    }
  });

  test("retries with the same token after a failure", async () => {
    const view = open({});
    expect(await screen.findByText("Unable to confirm your account.")).toBeTruthy();
    mockApi({ ConfirmEmail: confirmed() });
    await press("Try again", view);
    await waitFor(() => expect(view.place()).toBe("/my-account/"));
  });

  describe("opened by a signed-in user", () => {
    beforeEach(() => void signInAs("regular", { id: "user-1" }));

    test.each([
      ["user-2", "refresh-1", 0],
      ["user-1", "refresh-2", 1],
    ])("confirms the address of %s and opens the account with the token %s", async (id, refreshToken, notices) => {
      const { confirmEmail } = confirmed(id);
      const { requests, place } = open({ ConfirmEmail: { confirmEmail: { ...confirmEmail, startsTrial: true } } });
      await waitFor(() => expect(place()).toBe("/my-account/"));
      expect(requests).toHaveLength(1);
      expect(getSession()).toMatchObject({ refreshToken, claims: { id: "user-1" } });
      // The account of the link accepted the terms of the trial, not this user.
      expect(hasAcceptedTrial()).toBe(false);
      expect(screen.queryAllByText("You have successfully confirmed your email.")).toHaveLength(notices);
    });

    test("keeps the session of an account with two-step sign-in and updates the address in it", async () => {
      const secondStep = { challenge: "c", methods: { app: true, passkey: false } };
      const accessToken = createAccessToken({ id: "user-1", email: "new@demo.test" });
      const { place } = open({
        ConfirmEmail: { confirmEmail: { session: null, secondStep } },
        RefreshSession: { refreshSession: { accessToken, refreshToken: "next", expiresIn: 600 } },
      });
      await waitFor(() => expect(place()).toBe("/my-account/"));
      expect(getSession()?.claims.email).toBe("new@demo.test");
      expect(screen.getByText("You have successfully confirmed your email.")).toBeTruthy();
    });

    test("opens the account without a request if there is no token, and after an error, which it reports", async () => {
      const missing = open({}, "/confirm-email/");
      await waitFor(() => expect(missing.place()).toBe("/my-account/"));
      expect(missing.requests).toEqual([]);
      missing.unmount();
      for (const [answer, message] of [
        [rejected, invalidMessage],
        [new MockedError("INTERNAL", "Oops, something went wrong."), "Unable to confirm your account."],
      ] as const) {
        const { place, unmount } = open({ ConfirmEmail: answer });
        await waitFor(() => expect(place()).toBe("/my-account/"));
        await waitFor(() => expect(screen.getAllByRole("alert").at(-1)?.textContent).toBe(message));
        expect(getSession()?.refreshToken).toBe("refresh-1");
        unmount();
      }
    });
  });
});

describe("confirmation page", () => {
  const handle = "b1b4c7c2-0000-4000-8000-000000000003";
  const EmailConfirmation = { emailConfirmation: { email: "ada@example.test", isConfirmed: false, isChange: false } };

  function open(answers: Record<string, MockedResponse>) {
    const requests = mockApi(answers);
    const page = (
      <Routes>
        <Route path="/email-confirmation/:userId/" element={<EmailConfirmationPage />} />
        <Route path="/login/" element={null} />
      </Routes>
    );
    return { requests, ...renderWeb(page, { at: `/email-confirmation/${handle}/` }) };
  }

  test("says that the link of a confirmed or unknown address is invalid, and offers the login page", async () => {
    for (const answer of [
      { emailConfirmation: { email: null, isConfirmed: true, isChange: false } },
      new MockedError("NOT_FOUND", "Sorry, we could not find what you asked for."),
    ]) {
      const { unmount } = open({ EmailConfirmation: answer });
      expect(await screen.findByText(invalidMessage)).toBeTruthy();
      expect(screen.getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
      unmount();
    }
  });

  test("shows the address after a failed load, and reports whether the email could be sent again", async () => {
    const view = open({});
    expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
    mockApi({ EmailConfirmation });
    await press("Try again", view);
    expect(await screen.findByText("ada@example.test")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1, name: "Email confirmation" })).toBeTruthy();
    for (const [answer, message] of [
      [new MockedError("RATE_LIMITED", "Too many attempts."), "Too many attempts."],
      [new MockedError("INTERNAL", "Oops, something went wrong."), "Unable to re-send the confirmation."],
      [
        { resendConfirmationEmail: { __typename: "EmailConfirmation", isConfirmed: false } },
        "We have sent the email confirmation link to your email address.",
      ],
    ] as const) {
      const requests = mockApi({ ResendConfirmationEmail: answer });
      await press("Re-send Email", view);
      expect(await screen.findByText(message)).toBeTruthy();
      expect(requests).toMatchObject([{ operation: "ResendConfirmationEmail", variables: { handle } }]);
    }
  });

  test("keeps the focus on Re-send Email while it is busy, and sends once", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const view = open({ EmailConfirmation, ResendConfirmationEmail: () => promise });
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Re-send Email" });
    await view.user.dblClick(button);
    expect([button.disabled, document.activeElement === button]).toEqual([false, true]);
    resolve({ resendConfirmationEmail: { __typename: "EmailConfirmation", isConfirmed: false } });
    expect(await screen.findByText("We have sent the email confirmation link to your email address.")).toBeTruthy();
    expect(view.requests.filter(({ operation }) => operation === "ResendConfirmationEmail")).toHaveLength(1);
  });

  test("opens the login page instead if the address was confirmed elsewhere, such as on a phone", async () => {
    const view = open({
      EmailConfirmation,
      ResendConfirmationEmail: { resendConfirmationEmail: { __typename: "EmailConfirmation", isConfirmed: true } },
    });
    await screen.findByText("ada@example.test");
    await press("Re-send Email", view);
    expect(await screen.findByText("This address is already confirmed.")).toBeTruthy();
    await waitFor(() => expect(view.place()).toBe("/login/"));
  });

  async function openDialog(answers: Record<string, MockedResponse> = {}) {
    const view = open({ EmailConfirmation, ...answers });
    await screen.findByText("ada@example.test");
    await press("Change Email Address", view);
    const dialog = within(await screen.findByRole("dialog", { name: "Change Email Address" }));
    const save = async (email: string) => {
      fill({ Email: email });
      await view.user.click(dialog.getByRole("button", { name: "Save" }));
    };
    return { ...view, dialog, save };
  }

  test("keeps the dialog open if the address is invalid or can't be changed, and shows the new one after a retry", async () => {
    const { requests, save } = await openDialog();
    for (const [email, message] of [
      ["", "Email is required."],
      ["ada@", "Invalid email."],
    ] as const) {
      await save(email);
      await waitFor(() => expect(messageUnder(field("Email"))).toBe(message));
    }
    expect(requests).toHaveLength(1);
    await save("ada.byron@example.test");
    expect(await screen.findByText("Unable to change the email address.")).toBeTruthy();
    expect(field("Email").value).toBe("ada.byron@example.test");
    const retried = mockApi({
      ChangeUnconfirmedEmail: { changeUnconfirmedEmail: { __typename: "EmailConfirmation", isConfirmed: false } },
    });
    await save("ada.byron@example.test");
    expect(await screen.findByText("We have sent the email confirmation link to your new email address.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByText("ada.byron@example.test")).toBeTruthy();
    expect(retried[0]?.variables).toEqual({ handle, input: { email: "ada.byron@example.test" } });
  });
});

describe("link that undoes an email change", () => {
  function open(answers: Record<string, MockedResponse>, at = "/undo-email-change/?t=Secret_123-x") {
    const requests = mockApi(answers);
    return { requests, ...renderWeb(<UndoEmailChangePage />, { at }) };
  }
  const resetLink = "/reset-password/?t=Secret_123-x";

  test("undoes the change after a click and opens the form for a new password", async () => {
    const view = open({
      UndoEmailChange: { undoEmailChange: { __typename: "RestoredEmail", email: "ada@demo.test" } },
    });
    expect(view.requests).toEqual([]);
    await press("Undo the change", view);
    await waitFor(() => expect(view.place()).toBe(resetLink));
    expect(view.requests).toEqual([
      { operation: "UndoEmailChange", variables: { token: "Secret_123-x" }, token: null },
    ]);
    expect(screen.getByRole("status").textContent).toContain("Your old email address has been restored.");
  });

  test("removes a session that has ended with the change", async () => {
    signInAs("regular");
    const ended = new MockedError("UNAUTHENTICATED", "Your session has ended.");
    const view = open({
      UndoEmailChange: { undoEmailChange: { __typename: "RestoredEmail", email: "ada@demo.test" } },
      RefreshSession: ended,
    });
    await press("Undo the change", view);
    await waitFor(() => expect(view.place()).toBe(resetLink));
    expect(getSession()).toBeNull();
  });

  test("lets the user try again after a failure, and reports an invalid or missing link", async () => {
    const view = open({ UndoEmailChange: new MockedError("UNAVAILABLE", "Please try again.") });
    await press("Undo the change", view);
    expect(await screen.findByRole("alert")).toBeTruthy();
    mockApi({ UndoEmailChange: new MockedError("BAD_USER_INPUT", "Not valid.", { token: ["Invalid."] }) });
    await press("Undo the change", view);
    expect(await screen.findByText("Sorry, this link is invalid.")).toBeTruthy();
    view.unmount();
    open({}, "/undo-email-change/");
    expect(screen.getByRole("link", { name: "Login" })).toBeTruthy();
  });
});
