import { gql } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { act, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { MockedError, mockApi, type MockedResponse } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs, simulateOtherTab } from "#tests/support/render-web.tsx";
import { SignInAgain } from "#web/app/portal/session-dialogs.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";

const SAVE = gql`mutation Save($text: String!) { save(text: $text) }`;
const next = (user: { id?: string } = {}) => ({
  accessToken: createAccessToken({ serial: 2, ...user }),
  refreshToken: "refresh-2",
  expiresIn: 600,
});
const signedIn = (session: object) => ({
  signIn: { session, problem: null, message: null, confirmationHandle: null, secondStep: null },
});

beforeEach(resetSession);

function Editor() {
  const client = useApolloClient();
  const [state, setState] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const text = event.currentTarget.querySelector("input")?.value;
        client.mutate({ mutation: SAVE, variables: { text } }).then(
          () => setState("Saved."),
          () => setState("Failed."),
        );
      }}
    >
      <label>
        Text <input name="text" />
      </label>
      <button type="submit">Save</button>
      <output>{state}</output>
    </form>
  );
}

/** Opens a page with a form, and submits it after the API has ended the session. */
async function submitWithEndedSession(answers: Record<string, MockedResponse> = {}) {
  const stale = signInAs("regular");
  const operations = mockApi({
    Save: () =>
      getSession()?.accessToken === stale ? new MockedError("UNAUTHENTICATED", "Please sign in.") : { save: true },
    RefreshSession: new MockedError("UNAUTHENTICATED", "Please sign in."),
    ...answers,
  });
  const view = renderWeb(
    <>
      <Routes>
        <Route
          path="/page/"
          element={
            <Guard access={{ kind: "private" }}>
              <DataLayer>
                <Editor />
              </DataLayer>
            </Guard>
          }
        />
        <Route path="*" element="elsewhere" />
      </Routes>
      <SignInAgain />
    </>,
    { at: "/page/" },
  );
  fill({ Text: "Typed" });
  await view.user.click(screen.getByRole("button", { name: "Save" }));
  const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
  return { ...view, operations, dialog };
}

async function signIn({ user }: Pick<ReturnType<typeof renderWeb>, "user">, password = "Demo-pass-1") {
  fill({ Password: password });
  await user.click(screen.getByRole("button", { name: "Sign in" }));
}

const sent = (operations: { operation: string }[], name: string) =>
  operations.filter(({ operation }) => operation === name);

test("signs in over the page, sends the failed request again and keeps what was typed", async () => {
  const view = await submitWithEndedSession({ SignIn: signedIn(next()) });
  const { operations, dialog } = view;
  expect(dialog.textContent).toContain("ada@demo.test");
  await signIn(view);
  await screen.findByText("Saved.");
  expect(sent(operations, "SignIn")).toMatchObject([
    { variables: { input: { email: "ada@demo.test", password: "Demo-pass-1" } } },
  ]);
  expect(sent(operations, "Save")).toMatchObject([
    { variables: { text: "Typed" } },
    { variables: { text: "Typed" }, token: `Bearer ${next().accessToken}` },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>("Text").value).toBe("Typed");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("requires the second step of an account with two-step sign-in, which can go back to the password", async () => {
  const view = await submitWithEndedSession({
    SignIn: {
      signIn: {
        ...signedIn({}).signIn,
        session: null,
        secondStep: { challenge: "c-1", methods: { app: true, passkey: false } },
      },
    },
    CompleteSignIn: { completeSignIn: { session: next(), problem: null, message: null } },
  });
  await signIn(view);
  await screen.findByLabelText("Code");
  await view.user.click(screen.getByRole("button", { name: "Sign in again" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  await signIn(view);
  await screen.findByLabelText("Code");
  fill({ Code: "123456" });
  await view.user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("Saved.");
});

test("shows a wrong password at its field and stays open on Escape", async () => {
  const message = "Sorry, your user name or password is incorrect.";
  const view = await submitWithEndedSession({
    SignIn: { signIn: { ...signedIn({}).signIn, session: null, problem: "BAD_CREDENTIALS", message } },
  });
  await signIn(view, "wrong");
  await waitFor(() => expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true"));
  await view.user.keyboard("{Escape}");
  expect(screen.getByRole("dialog", { name: "Sign in again" })).toBeTruthy();
});

test("rejects the account of another user with the same address", async () => {
  await signIn(await submitWithEndedSession({ SignIn: signedIn(next({ id: "someone-else" })) }));
  await waitFor(() => expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true"));
  expect(getSession()?.isEnded).toBe(true);
});

test("opens sign-in for another account and repeats nothing", async () => {
  const { user, place, operations } = await submitWithEndedSession();
  await user.click(screen.getByRole("button", { name: "Use another account" }));
  await waitFor(() => expect(place()).toBe(`/login/?returnUrl=${encodeURIComponent("/page/")}`));
  expect(getSession()).toBeNull();
  expect(sent(operations, "Save")).toHaveLength(1);
});

test("closes when the user has signed in again in another tab", async () => {
  await submitWithEndedSession();
  act(() => simulateOtherTab(JSON.stringify({ ...next(), expiresAt: Date.now() + 600_000 })));
  await screen.findByText("Saved.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
