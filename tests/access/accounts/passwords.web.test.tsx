import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ChangePasswordDocument } from "#web/generated/graphql.ts";
import ChangePasswordPage from "#web/access/accounts/change-password-form.tsx";
import ForgotPasswordPage from "#web/access/accounts/forgot-password-form.tsx";
import ResetPasswordPage from "#web/access/accounts/reset-password.tsx";
import { routes } from "#web/app/routes.ts";
import type { Access } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";

beforeEach(resetSession);

const common = "This password is one of the first that attackers try. Please choose one that is harder to guess.";
const validValues = { "New password": "Gantt-charts-44", "Confirm password": "Gantt-charts-44" };

function withSubmit<View extends ReturnType<typeof renderWeb>>(view: View) {
  return { ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

/** Submits a form with each invalid value, and checks the message under its field and the focus. */
async function expectMessages(
  { submit }: { submit: () => Promise<void> },
  valid: Record<string, string>,
  cases: readonly (readonly [label: string, value: string, message: string])[],
): Promise<void> {
  for (const [label, value, message] of cases) {
    fill({ ...valid, [label]: value });
    await submit();
    // The message of a corrected value appears before the form is sent.
    await waitFor(() => {
      expect([label, value, messageUnder(field(label))]).toEqual([label, value, message]);
      expect(document.activeElement).toBe(field(label));
    });
  }
}

describe("forgotten password", () => {
  function open(
    answers: Record<string, MockedResponse> = {
      RequestPasswordReset: { requestPasswordReset: { __typename: "PasswordResetRequest", email: "ada@demo.test" } },
    },
  ) {
    const requests = mockApi(answers);
    return { requests, ...withSubmit(renderWeb(<ForgotPasswordPage />, { at: "/forgot-password/" })) };
  }

  test("links back to the login page and shows errors under the field", async () => {
    const view = open();
    expect(screen.getByRole("heading", { level: 1, name: "Forgot Password" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login/");
    await expectMessages(view, {}, [
      ["Email Address", "", "Email is required."],
      ["Email Address", "ada@", "Invalid Email Address"],
    ]);
    expect(view.requests).toEqual([]);
  });

  test("confirms that the email was sent, moves the focus and allows another request", async () => {
    const sentMessage = "A link to reset your password has been sent to your email address.";
    const { submit, requests, user } = open();
    fill({ "Email Address": "ada@example.test" });
    await submit();
    expect(document.activeElement).toBe(await screen.findByText(sentMessage));
    expect(screen.getByRole("status").textContent).toBe("Change password has been initiated. Please check your email.");
    expect(requests).toEqual([
      { operation: "RequestPasswordReset", variables: { input: { email: "ada@example.test" } }, token: null },
    ]);
    await user.click(screen.getByRole("button", { name: "Send again" }));
    expect(field("Email Address").value).toBe("ada@example.test");
    expect(document.activeElement).toBe(field("Email Address"));
    await submit();
    expect(await screen.findByText(sentMessage)).toBeTruthy();
    expect(requests).toHaveLength(2);
  });

  test("reports a failed request and keeps the address", async () => {
    const { submit } = open({});
    fill({ "Email Address": "ada@example.test" });
    await submit();
    expect((await screen.findByRole("alert")).textContent).toBe("Account does not exist.");
    expect(field("Email Address").value).toBe("ada@example.test");
  });
});

describe("password reset", () => {
  const invalidMessage = "Your password reset request is invalid, please reset your password again.";
  const valid = { IsResetTokenValid: { isResetTokenValid: true } };
  const session = { accessToken: createAccessToken(), refreshToken: "refresh-1", expiresIn: 600 };

  function open(
    answers: Record<string, MockedResponse>,
    at = "/reset-password/?t=Secret_123-x",
    access: Access = { kind: "signed-out" },
  ) {
    const requests = mockApi(answers);
    const page = (
      <StrictMode>
        <Guard access={access}>
          <ResetPasswordPage />
        </Guard>
      </StrictMode>
    );
    return { requests, ...withSubmit(renderWeb(page, { at })) };
  }

  async function openForm(answers: Record<string, MockedResponse> = {}) {
    const view = open({ ...valid, ...answers });
    await screen.findByLabelText("New password");
    fill(validValues);
    return view;
  }

  test("checks the link again after a failure, with a loading block meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { user } = open({});
    expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
    const requests = mockApi({ IsResetTokenValid: () => promise });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(screen.getByRole("progressbar", { name: "Checking your link" })).toBeTruthy();
    expect(screen.queryByLabelText("New password")).toBeNull();
    resolve(valid.IsResetTokenValid);
    expect(await screen.findByLabelText("New password")).toBeTruthy();
    expect(requests[0]).toMatchObject({ variables: { input: { resetToken: "Secret_123-x" } } });
  });

  test("reports a rejected, malformed or missing link and offers a new one", async () => {
    for (const [answer, at] of [
      [{ isResetTokenValid: false }, "/reset-password/?t=Secret"],
      [new MockedError("BAD_USER_INPUT", "Not valid."), "/reset-password/?t=Secret"],
      [{}, "/reset-password/"],
    ] as const) {
      const { unmount } = open({ IsResetTokenValid: answer }, at);
      expect(await screen.findByText(invalidMessage)).toBeTruthy();
      expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
      unmount();
    }
  });

  test("tells a signed-in user to sign out before using the link", async () => {
    signInAs("regular");
    const access: Access = routes.find(({ path }) => path.pattern === "/reset-password/")?.access ?? { kind: "public" };
    const { place, requests } = open({}, "/reset-password/?t=Secret", access);
    expect(place()).toBe("/");
    expect((await screen.findByRole("alert")).textContent).toMatch(/Sign out, then open the link again/);
    expect(requests).toEqual([]);
  });

  test("shows errors under the fields and sends nothing", async () => {
    const view = await openForm();
    await expectMessages(view, validValues, [
      ["New password", "short1", "Password must have at least 8 characters."],
      ["New password", "qwerty123", common],
      ["Confirm password", "Gantt-charts-45", "Passwords must match"],
    ]);
    expect(view.requests.filter(({ operation }) => operation === "ResetPassword")).toEqual([]);
  });

  test("signs in with the new password and opens the account", async () => {
    const { submit, requests, place } = await openForm({
      ResetPassword: { resetPassword: { session, secondStep: null } },
    });
    await submit();
    await waitFor(() => expect(place()).toBe("/my-account/"));
    expect(getSession()?.refreshToken).toBe("refresh-1");
    expect(screen.getByRole("status").textContent).toBe("You have successfully changed your password.");
    expect(requests.at(-1)?.variables).toEqual({
      input: { password: "Gantt-charts-44", confirmPassword: "Gantt-charts-44", resetToken: "Secret_123-x" },
    });
  });

  test("keeps the input after a failure and a rejected password, and reports a link used in the meantime", async () => {
    const { submit } = await openForm();
    await submit();
    expect((await screen.findByRole("alert")).textContent).toBe("Account does not exist.");
    const reject = (fields: Record<string, string[]>) =>
      mockApi({ ...valid, ResetPassword: new MockedError("BAD_USER_INPUT", "Not valid.", fields) });
    reject({ password: ["Your name does not count."] });
    await submit();
    await waitFor(() => expect(messageUnder(field("New password"))).toBe("Your name does not count."));
    expect(field("Confirm password").value).toBe("Gantt-charts-44");
    reject({ resetToken: [invalidMessage] });
    await submit();
    expect(await screen.findByText(invalidMessage)).toBeTruthy();
    expect(getSession()).toBeNull();
  });
});

describe("changing the password", () => {
  const values = { "Existing Password": "Planner-tasks-47", ...validValues };
  const input = {
    existingPassword: "Planner-tasks-47",
    password: "Gantt-charts-44",
    confirmPassword: "Gantt-charts-44",
  };

  function open(role: "regular" | "admin" = "regular", ...mocks: Mock[]) {
    signInAs(role);
    const view = withSubmit(renderMocked(mocks, <ChangePasswordPage />, "/change-password/"));
    fill(values);
    return view;
  }

  test("links back to each role's start page and marks the fields for password managers", () => {
    for (const [role, name, target] of [
      ["admin", "Admin", "/admin/"],
      ["regular", "My Account", "/my-account/"],
    ] as const) {
      const { unmount } = open(role);
      expect(screen.getByRole("heading", { level: 1, name: "Change Password" })).toBeTruthy();
      expect(screen.getByRole("link", { name: new RegExp(name) }).getAttribute("href")).toBe(target);
      const hints = Object.keys(values).map((label) => field(label).autocomplete);
      expect(hints).toEqual(["current-password", "new-password", "new-password"]);
      unmount();
    }
  });

  test("shows errors under the fields", async () => {
    await expectMessages(open(), values, [
      ["Existing Password", "", "Existing password is required."],
      ["New password", "letmein1", common],
      ["Confirm password", "Gantt-charts-45", "Passwords must match"],
    ]);
  });

  test("confirms the change and keeps the session", async () => {
    const { submit } = open("regular", mockQuery(ChangePasswordDocument, { input }).returns({ changePassword: {} }));
    await submit();
    expect(await screen.findByText("You have changed your password successfully.")).toBeTruthy();
    expect(screen.getByRole("status").textContent).toBe("You have successfully changed your password.");
    expect(screen.getByRole("link", { name: "Back to My Account" })).toBeTruthy();
    expect(getSession()).not.toBeNull();
  });
});
