import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { renderWeb, signedOut } from "#tests/support/render-web.tsx";
import EmailConfirmationPage from "#web/pages/public/email-confirmation.tsx";
import { notify } from "#web/platform/notifications.ts";

const handle = "b1b4c7c2-0000-4000-8000-000000000003";
const waiting = { emailConfirmation: { email: "ada@example.test", isConfirmed: false, isChange: false } };

beforeEach(() => {
  signedOut();
  notify.clear();
});

function open(answers: Record<string, Answer>) {
  const asked = playApi(answers);
  const page = (
    <Routes>
      <Route path="/email-confirmation/:userId/" element={<EmailConfirmationPage />} />
    </Routes>
  );
  return { asked, ...renderWeb(page, { at: `/email-confirmation/${handle}/` }) };
}

test("shows where the link was sent", async () => {
  const { asked } = open({ EmailConfirmation: waiting });
  expect(await screen.findByText("ada@example.test")).toBeTruthy();
  expect(asked[0]?.variables).toEqual({ handle });
  expect(screen.getByRole("heading", { level: 1, name: "Email Confirmation" })).toBeTruthy();
});

test.each([
  ["confirmed already", { emailConfirmation: { email: null, isConfirmed: true, isChange: false } }],
  ["unknown", new Refusal("NOT_FOUND", "Sorry, we could not find what you asked for.")],
])("an address that is %s: the link is invalid, and sign-in is the way on", async (_, answer) => {
  open({ EmailConfirmation: answer });
  expect(await screen.findByText("Sorry, that email confirmation token is invalid.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
});

test("no answer says so and can be tried again", async () => {
  const { user } = open({});
  expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
  playApi({ EmailConfirmation: waiting });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText("ada@example.test")).toBeTruthy();
});

test("the mail can be sent again", async () => {
  const { user, asked } = open({
    EmailConfirmation: waiting,
    ResendConfirmationEmail: { resendConfirmationEmail: true },
  });
  await user.click(await screen.findByRole("button", { name: "Re-send Email" }));
  expect(await screen.findByText("We have sent the email confirmation link to your email address.")).toBeTruthy();
  expect(asked[1]).toMatchObject({ operation: "ResendConfirmationEmail", variables: { handle } });
});

test.each([
  ["the api's sentence", new Refusal("RATE_LIMITED", "Too many attempts."), "Too many attempts."],
  ["the portal's", new Refusal("INTERNAL", "Oops, something went wrong."), "Unable to re-send the confirmation."],
])("a mail that can't be sent again is told in %s", async (_, refusal, said) => {
  const { user } = open({ EmailConfirmation: waiting, ResendConfirmationEmail: refusal });
  await user.click(await screen.findByRole("button", { name: "Re-send Email" }));
  expect(await screen.findByText(said)).toBeTruthy();
});

async function openDialog(answers: Record<string, Answer>) {
  const view = open({ EmailConfirmation: waiting, ...answers });
  await view.user.click(await screen.findByRole("button", { name: "Change Email Address" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Change Email Address" })) };
}

test.each([
  ["", "Email is required."],
  ["ada@", "Invalid email."],
])("the new address %j says: %s", async (value, message) => {
  const { user, asked, dialog } = await openDialog({});
  fill({ Email: value });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(field("Email"))).toBe(message));
  expect(asked).toHaveLength(1);
});

test("another address gets the link, and the page shows it", async () => {
  const { user, asked, dialog } = await openDialog({ ChangeUnconfirmedEmail: { changeUnconfirmedEmail: true } });
  fill({ Email: "ada.byron@example.test" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("We have sent the email confirmation link to your new email address.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("ada.byron@example.test")).toBeTruthy();
  expect(asked[1]?.variables).toEqual({ handle, input: { email: "ada.byron@example.test" } });
});

test("an address that can't be changed leaves the dialog open with what was typed", async () => {
  const { user, dialog } = await openDialog({});
  fill({ Email: "ada.byron@example.test" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to change the email address.")).toBeTruthy();
  expect(field("Email").value).toBe("ada.byron@example.test");
});

test.each(["Cancel", "Escape"])("%s closes the dialog and changes nothing", async (way) => {
  const { user, asked, dialog } = await openDialog({});
  await (way === "Escape" ? user.keyboard("{Escape}") : user.click(dialog.getByRole("button", { name: way })));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked).toHaveLength(1);
});
