import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";
import ResetPasswordPage from "#web/pages/public/reset-password.tsx";
import { notify } from "#web/platform/notifications.ts";

const invalidMessage = "Your password reset request is invalid, please reset your password again.";
const valid = { IsResetTokenValid: { isResetTokenValid: true } };
const session = { accessToken: createAccessToken(), refreshToken: "refresh-1", expiresIn: 600 };
const validValues = { "New password": "Gantt-charts-44", "Confirm password": "Gantt-charts-44" };

beforeEach(() => {
  resetSession();
  notify.clear();
});

function open(answers: Record<string, MockedResponse>, at = "/reset-password/?t=Secret_123-x") {
  const requests = mockApi(answers);
  const view = renderWeb(
    <StrictMode>
      <Guard access={{ kind: "signed-out" }}>
        <ResetPasswordPage />
      </Guard>
    </StrictMode>,
    { at },
  );
  return { requests, ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

test("shows a loading block while the token is checked", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { requests } = open({ IsResetTokenValid: () => promise });
  expect(screen.getByRole("progressbar", { name: "Checking your link" })).toBeTruthy();
  expect(screen.queryByLabelText("New password")).toBeNull();
  resolve(valid.IsResetTokenValid);
  expect(await screen.findByLabelText("New password")).toBeTruthy();
  expect(requests[0]).toMatchObject({
    operation: "IsResetTokenValid",
    variables: { input: { resetToken: "Secret_123-x" } },
  });
});

test.each<[string, Record<string, MockedResponse>, string]>([
  ["rejected", { IsResetTokenValid: { isResetTokenValid: false } }, "/reset-password/?t=Secret"],
  ["malformed", { IsResetTokenValid: new MockedError("BAD_USER_INPUT", "Not valid.") }, "/reset-password/?t=Secret"],
  ["missing", {}, "/reset-password/"],
])("reports a link that is %s and offers a new one", async (_, answers, at) => {
  open(answers, at);
  expect(await screen.findByText(invalidMessage)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
});

test("checks the link again after a failure", async () => {
  const { user } = open({});
  expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
  mockApi(valid);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByLabelText("New password")).toBeTruthy();
});

test.each([
  ["New password", "", "Password is required."],
  ["New password", "short1", "Password must have at least 8 characters."],
  ["New password", "no-number-here", "Must have a number."],
  [
    "New password",
    "qwerty123",
    "This password is one of the first that attackers try. Please choose one that is harder to guess.",
  ],
  ["Confirm password", "Gantt-charts-45", "Passwords must match"],
  ["Confirm password", "", "Passwords must match"],
])("shows an error if %s is %j: %s", async (label, value, message) => {
  const { submit, requests } = open(valid);
  await screen.findByLabelText("New password");
  fill({ ...validValues, [label]: value });
  await submit();
  await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  expect(document.activeElement).toBe(field(label));
  expect(requests.filter(({ operation }) => operation === "ResetPassword")).toEqual([]);
});

test("signs in with the new password and opens the account", async () => {
  const { submit, requests, place } = open({
    ...valid,
    ResetPassword: { resetPassword: { session, secondStep: null } },
  });
  await screen.findByLabelText("New password");
  fill(validValues);
  await submit();
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(getSession()?.refreshToken).toBe("refresh-1");
  expect(screen.getByRole("status").textContent).toBe("You have successfully changed your password.");
  expect(requests.at(-1)?.variables).toEqual({
    input: { password: "Gantt-charts-44", confirmPassword: "Gantt-charts-44", resetToken: "Secret_123-x" },
  });
});

test("shows the error for a rejected password under its field and keeps the link valid", async () => {
  const fields = { password: ["Your name does not count."] };
  const { submit } = open({ ...valid, ResetPassword: new MockedError("BAD_USER_INPUT", "Not valid.", fields) });
  await screen.findByLabelText("New password");
  fill(validValues);
  await submit();
  await waitFor(() => expect(messageUnder(field("New password"))).toBe("Your name does not count."));
  expect(field("New password").value).toBe("Gantt-charts-44");
});

test("reports a link that was used in the meantime", async () => {
  const { submit } = open({
    ...valid,
    ResetPassword: new MockedError("BAD_USER_INPUT", "Not valid.", { resetToken: [invalidMessage] }),
  });
  await screen.findByLabelText("New password");
  fill(validValues);
  await submit();
  expect(await screen.findByText(invalidMessage)).toBeTruthy();
  expect(getSession()).toBeNull();
});

test("shows the fallback message if there is no response and keeps the input", async () => {
  const { submit } = open(valid);
  await screen.findByLabelText("New password");
  fill(validValues);
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe("Account does not exist.");
  expect(field("Confirm password").value).toBe("Gantt-charts-44");
});

test("redirects a signed-in user to the home page", () => {
  signInAs("regular");
  const { requests, place } = open(valid);
  expect(place()).toBe("/");
  expect(requests).toEqual([]);
});
