import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import EmailConfirmationPage from "#web/pages/public/email-confirmation.tsx";
import { notify } from "#web/platform/notifications.ts";

const handle = "b1b4c7c2-0000-4000-8000-000000000003";
const pendingAddress = { emailConfirmation: { email: "ada@example.test", isConfirmed: false, isChange: false } };

beforeEach(() => {
  resetSession();
  notify.clear();
});

function open(answers: Record<string, MockedResponse>) {
  const requests = mockApi(answers);
  const page = (
    <Routes>
      <Route path="/email-confirmation/:userId/" element={<EmailConfirmationPage />} />
    </Routes>
  );
  return { requests, ...renderWeb(page, { at: `/email-confirmation/${handle}/` }) };
}

test("shows the address the link was sent to", async () => {
  const { requests } = open({ EmailConfirmation: pendingAddress });
  expect(await screen.findByText("ada@example.test")).toBeTruthy();
  expect(requests[0]?.variables).toEqual({ handle });
  expect(screen.getByRole("heading", { level: 1, name: "Email confirmation" })).toBeTruthy();
});

test.each([
  ["already confirmed", { emailConfirmation: { email: null, isConfirmed: true, isChange: false } }],
  ["unknown", new MockedError("NOT_FOUND", "Sorry, we could not find what you asked for.")],
])("says that the link is invalid and offers the login page if the address is %s", async (_, answer) => {
  open({ EmailConfirmation: answer });
  expect(await screen.findByText("Sorry, that email confirmation token is invalid.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
});

test("reports a failed load and loads the page again on request", async () => {
  const { user } = open({});
  expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
  mockApi({ EmailConfirmation: pendingAddress });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("ada@example.test")).toBeTruthy();
});

test("sends the confirmation email again", async () => {
  const { user, requests } = open({
    EmailConfirmation: pendingAddress,
    ResendConfirmationEmail: { resendConfirmationEmail: true },
  });
  await user.click(await screen.findByRole("button", { name: "Re-send Email" }));
  expect(await screen.findByText("We have sent the email confirmation link to your email address.")).toBeTruthy();
  expect(requests[1]).toMatchObject({ operation: "ResendConfirmationEmail", variables: { handle } });
});

test.each([
  ["the API's message", new MockedError("RATE_LIMITED", "Too many attempts."), "Too many attempts."],
  [
    "the portal's message",
    new MockedError("INTERNAL", "Oops, something went wrong."),
    "Unable to re-send the confirmation.",
  ],
])("reports a failed email with %s", async (_, refusal, message) => {
  const { user } = open({ EmailConfirmation: pendingAddress, ResendConfirmationEmail: refusal });
  await user.click(await screen.findByRole("button", { name: "Re-send Email" }));
  expect(await screen.findByText(message)).toBeTruthy();
});

async function openDialog(answers: Record<string, MockedResponse>) {
  const view = open({ EmailConfirmation: pendingAddress, ...answers });
  await view.user.click(await screen.findByRole("button", { name: "Change Email Address" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Change Email Address" })) };
}

test.each([
  ["", "Email is required."],
  ["ada@", "Invalid email."],
])("shows an error if the new address is %j: %s", async (value, message) => {
  const { user, requests, dialog } = await openDialog({});
  fill({ Email: value });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(field("Email"))).toBe(message));
  expect(requests).toHaveLength(1);
});

test("sends the link to a new address and shows it", async () => {
  const { user, requests, dialog } = await openDialog({ ChangeUnconfirmedEmail: { changeUnconfirmedEmail: true } });
  fill({ Email: "ada.byron@example.test" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("We have sent the email confirmation link to your new email address.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("ada.byron@example.test")).toBeTruthy();
  expect(requests[1]?.variables).toEqual({ handle, input: { email: "ada.byron@example.test" } });
});

test("keeps the dialog open with its input if the address can't be changed", async () => {
  const { user, dialog } = await openDialog({});
  fill({ Email: "ada.byron@example.test" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to change the email address.")).toBeTruthy();
  expect(field("Email").value).toBe("ada.byron@example.test");
});

test.each(["Cancel", "Escape"])("closes the dialog on %s without changes", async (way) => {
  const { user, requests, dialog } = await openDialog({});
  await (way === "Escape" ? user.keyboard("{Escape}") : user.click(dialog.getByRole("button", { name: way })));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(requests).toHaveLength(1);
});
