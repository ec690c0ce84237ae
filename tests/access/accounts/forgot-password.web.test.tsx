import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import ForgotPasswordPage from "#web/pages/public/forgot-password.tsx";
import { notify } from "#web/platform/notifications.ts";

const sentMessage = "A link to reset your password has been sent to your email address.";

beforeEach(() => {
  resetSession();
  notify.clear();
});

function open(answers: Record<string, MockedResponse> = { RequestPasswordReset: { requestPasswordReset: true } }) {
  const requests = mockApi(answers);
  const view = renderWeb(<ForgotPasswordPage />, { at: "/forgot-password/" });
  return { requests, ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

test("shows the title and links back to the login page", () => {
  open();
  expect(screen.getByRole("heading", { level: 1, name: "Forgot Password" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login/");
});

test.each([
  ["", "Email is required."],
  ["ada@", "Invalid Email Address"],
])("shows an error if the address is %j: %s", async (value, message) => {
  const { submit, requests } = open();
  fill({ "Email Address": value });
  await submit();
  await waitFor(() => expect(messageUnder(field("Email Address"))).toBe(message));
  expect(document.activeElement).toBe(field("Email Address"));
  expect(requests).toEqual([]);
});

test("confirms that the email was sent, moves the focus and allows another request", async () => {
  const { submit, requests, user } = open();
  fill({ "Email Address": "ada@example.test" });
  await submit();
  const said = await screen.findByText(sentMessage);
  expect(document.activeElement).toBe(said);
  expect(screen.getByRole("status").textContent).toBe("Change password has been initiated. Please check your email.");
  expect(requests).toEqual([
    { operation: "RequestPasswordReset", variables: { input: { email: "ada@example.test" } }, token: null },
  ]);
  await user.click(screen.getByRole("button", { name: "Send again" }));
  expect(field("Email Address").value).toBe("ada@example.test");
  await submit();
  expect(await screen.findByText(sentMessage)).toBeTruthy();
  expect(requests).toHaveLength(2);
});

test.each([
  [
    "the API's message",
    { RequestPasswordReset: new MockedError("RATE_LIMITED", "Too many attempts.") },
    "Too many attempts.",
  ],
  ["the portal's message", {}, "Account does not exist."],
])("reports a failed request with %s and keeps the address", async (_, answers, said) => {
  const { submit } = open(answers as Record<string, MockedResponse>);
  fill({ "Email Address": "ada@example.test" });
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe(said);
  expect(field("Email Address").value).toBe("ada@example.test");
});
