import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { renderWeb, signedOut } from "#tests/support/render-web.tsx";
import ForgotPasswordPage from "#web/pages/public/forgot-password.tsx";
import { notify } from "#web/platform/notifications.ts";

const sentence = "A link to reset your password has been sent to your email address.";

beforeEach(() => {
  signedOut();
  notify.clear();
});

function open(answers: Record<string, Answer> = { RequestPasswordReset: { requestPasswordReset: true } }) {
  const asked = playApi(answers);
  const view = renderWeb(<ForgotPasswordPage />, { at: "/forgot-password/" });
  return { asked, ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

test("the page is named and leads back to sign-in", () => {
  open();
  expect(screen.getByRole("heading", { level: 1, name: "Forgot Password" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to Login" }).getAttribute("href")).toBe("/login/");
});

test.each([
  ["", "Email is required."],
  ["ada@", "Invalid Email Address"],
])("the address %j says: %s", async (value, message) => {
  const { submit, asked } = open();
  fill({ "Email Address": value });
  await submit();
  await waitFor(() => expect(messageUnder(field("Email Address"))).toBe(message));
  expect(document.activeElement).toBe(field("Email Address"));
  expect(asked).toEqual([]);
});

test("a request says where to look, moves the focus there, and can be made again", async () => {
  const { submit, asked, user } = open();
  fill({ "Email Address": "ada@example.test" });
  await submit();
  const said = await screen.findByText(sentence);
  expect(document.activeElement).toBe(said);
  expect(screen.getByRole("status").textContent).toBe("Change password has been initiated. Please check your email.");
  expect(asked).toEqual([
    { operation: "RequestPasswordReset", variables: { input: { email: "ada@example.test" } }, token: null },
  ]);
  await user.click(screen.getByRole("button", { name: "Send Again" }));
  expect(field("Email Address").value).toBe("ada@example.test");
  await submit();
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(asked).toHaveLength(2);
});

test.each([
  [
    "the api's sentence",
    { RequestPasswordReset: new Refusal("RATE_LIMITED", "Too many attempts.") },
    "Too many attempts.",
  ],
  ["the portal's", {}, "Account does not exist."],
])("a request that fails is told in %s, and the address stays", async (_, answers, said) => {
  const { submit } = open(answers as Record<string, Answer>);
  fill({ "Email Address": "ada@example.test" });
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe(said);
  expect(field("Email Address").value).toBe("ada@example.test");
});
