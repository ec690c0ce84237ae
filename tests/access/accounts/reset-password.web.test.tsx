import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { accessTokenOf, renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/guard.tsx";
import { currentSession } from "#web/platform/session.ts";
import ResetPasswordPage from "#web/pages/public/reset-password.tsx";
import { notify } from "#web/platform/notifications.ts";

const sentence = "Your password reset request is invalid, please reset your password again.";
const valid = { IsResetTokenValid: { isResetTokenValid: true } };
const session = { accessToken: accessTokenOf(), refreshToken: "refresh-1", expiresIn: 600 };
const good = { "New Password": "Gantt-charts-44", "Confirm Password": "Gantt-charts-44" };

beforeEach(() => {
  signedOut();
  notify.clear();
});

function open(answers: Record<string, Answer>, at = "/reset-password/?t=Secret_123-x") {
  const asked = playApi(answers);
  const view = renderWeb(
    <StrictMode>
      <Guard access={{ kind: "signed-out" }}>
        <ResetPasswordPage />
      </Guard>
    </StrictMode>,
    { at },
  );
  return { asked, ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

test("a link is checked behind a loading block by what follows the first three characters of the query", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { asked } = open({ IsResetTokenValid: () => promise });
  expect(screen.getByRole("progressbar", { name: "Checking your link" })).toBeTruthy();
  expect(screen.queryByLabelText("New Password")).toBeNull();
  resolve(valid.IsResetTokenValid);
  expect(await screen.findByLabelText("New Password")).toBeTruthy();
  expect(asked[0]).toMatchObject({
    operation: "IsResetTokenValid",
    variables: { input: { resetToken: "Secret_123-x" } },
  });
});

test.each<[string, Record<string, Answer>, string]>([
  ["refused", { IsResetTokenValid: { isResetTokenValid: false } }, "/reset-password/?t=Secret"],
  ["malformed", { IsResetTokenValid: new Refusal("BAD_USER_INPUT", "Not valid.") }, "/reset-password/?t=Secret"],
  ["missing", {}, "/reset-password/"],
])("a link that is %s says so and leads to a new one", async (_, answers, at) => {
  open(answers, at);
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Forgot Password" }).getAttribute("href")).toBe("/forgot-password/");
});

test("a link that could not be checked can be checked again", async () => {
  const { user } = open({});
  expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
  playApi(valid);
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByLabelText("New Password")).toBeTruthy();
});

test.each([
  ["New Password", "", "Password is required."],
  ["New Password", "short1", "Password must have at least 8 characters."],
  ["New Password", "no-number-here", "Must have a number."],
  [
    "New Password",
    "qwerty123",
    "This password is one of the first that attackers try. Please choose one that is harder to guess.",
  ],
  ["Confirm Password", "Gantt-charts-45", "Passwords must match"],
  ["Confirm Password", "", "Passwords must match"],
])("%s with %j says: %s", async (label, value, message) => {
  const { submit, asked } = open(valid);
  await screen.findByLabelText("New Password");
  fill({ ...good, [label]: value });
  await submit();
  await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  expect(document.activeElement).toBe(field(label));
  expect(asked.filter(({ operation }) => operation === "ResetPassword")).toEqual([]);
});

test("a new password signs in and leads on", async () => {
  const { submit, asked, place } = open({ ...valid, ResetPassword: { resetPassword: { session, secondStep: null } } });
  await screen.findByLabelText("New Password");
  fill(good);
  await submit();
  await waitFor(() => expect(place()).toBe("/my-account/"));
  expect(currentSession()?.refreshToken).toBe("refresh-1");
  expect(screen.getByRole("status").textContent).toBe("You have successfully changed your password.");
  expect(asked.at(-1)?.variables).toEqual({
    input: { password: "Gantt-charts-44", confirmPassword: "Gantt-charts-44", resetToken: "Secret_123-x" },
  });
});

test("a password that the api refuses is told under its field, and the link stays good", async () => {
  const fields = { password: ["Your name does not count."] };
  const { submit } = open({ ...valid, ResetPassword: new Refusal("BAD_USER_INPUT", "Not valid.", fields) });
  await screen.findByLabelText("New Password");
  fill(good);
  await submit();
  await waitFor(() => expect(messageUnder(field("New Password"))).toBe("Your name does not count."));
  expect(field("New Password").value).toBe("Gantt-charts-44");
});

test("a link used up meanwhile says so", async () => {
  const { submit } = open({
    ...valid,
    ResetPassword: new Refusal("BAD_USER_INPUT", "Not valid.", { resetToken: [sentence] }),
  });
  await screen.findByLabelText("New Password");
  fill(good);
  await submit();
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(currentSession()).toBeNull();
});

test("no answer shows the fallback and keeps what was typed", async () => {
  const { submit } = open(valid);
  await screen.findByLabelText("New Password");
  fill(good);
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe("Account does not exist.");
  expect(field("Confirm Password").value).toBe("Gantt-charts-44");
});

test("someone signed in is led away", () => {
  signInAs("regular");
  const { asked, place } = open(valid);
  expect(place()).toBe("/");
  expect(asked).toEqual([]);
});
