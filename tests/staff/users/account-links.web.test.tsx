import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { openUpdateUser } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

test.each([
  ["Send Password Reset", "SendPasswordReset", "sendPasswordReset"],
  ["Resend Confirmation", "ResendUserConfirmation", "resendUserConfirmation"],
])("%s sends the email after confirmation", async (label, operation, field) => {
  const answer = { [operation]: { [field]: { __typename: "User", id: storedUser.id } } };
  const { user, requests } = await openUpdateUser(answer, { ...storedUser, emailConfirmed: false });
  await user.click(screen.getByRole("button", { name: label }));
  expect(requests.some((request) => request.operation === operation)).toBe(false);
  const dialog = await screen.findByRole("dialog", { name: label });
  await user.click(within(dialog).getByRole("button", { name: "Send email" }));
  expect(await screen.findByText("The email has been sent.")).toBeTruthy();
  expect(requests.find((request) => request.operation === operation)?.variables).toEqual({ userId: storedUser.id });
});

test("offers no confirmation email to a confirmed user", async () => {
  await openUpdateUser();
  expect(screen.getByRole("button", { name: "Send Password Reset" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Resend Confirmation" })).toBeNull();
});

test("offers no emails to an archived user", async () => {
  await openUpdateUser({}, { ...storedUser, isActive: false, emailConfirmed: false });
  expect(screen.queryByRole("button", { name: "Send Password Reset" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Resend Confirmation" })).toBeNull();
});
