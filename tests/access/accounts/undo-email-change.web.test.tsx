import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getSession } from "#web/platform/session.ts";
import UndoEmailChangePage from "#web/pages/public/undo-email-change.tsx";

beforeEach(() => {
  resetSession();
  notify.clear();
});

function open(answers: Record<string, MockedResponse>, at = "/undo-email-change/?t=Secret_123-x") {
  const requests = mockApi(answers);
  return { requests, ...renderWeb(<UndoEmailChangePage />, { at }) };
}

const press = () => userEvent.click(screen.getByRole("button", { name: "Undo the change" }));

test("undoes the change after a click and opens the form for a new password", async () => {
  const { requests, place } = open({ UndoEmailChange: { undoEmailChange: true } });
  expect(requests).toEqual([]);
  await press();
  await waitFor(() => expect(place()).toBe("/reset-password/?t=Secret_123-x"));
  expect(requests).toEqual([{ operation: "UndoEmailChange", variables: { token: "Secret_123-x" }, token: null }]);
  expect(screen.getByRole("status").textContent).toContain("Your old email address has been restored.");
});

test("removes a session that has ended with the change", async () => {
  signInAs("regular");
  const ended = new MockedError("UNAUTHENTICATED", "Your session has ended.");
  const { place } = open({ UndoEmailChange: { undoEmailChange: true }, RefreshSession: ended });
  await press();
  await waitFor(() => expect(place()).toBe("/reset-password/?t=Secret_123-x"));
  expect(getSession()).toBeNull();
});

test("reports an invalid or missing link", async () => {
  const invalid = new MockedError("BAD_USER_INPUT", "Some values are not valid.", { token: ["Invalid."] });
  const { unmount } = open({ UndoEmailChange: invalid });
  await press();
  expect(await screen.findByText("Sorry, this link is invalid.")).toBeTruthy();
  unmount();
  open({}, "/undo-email-change/");
  expect(screen.getByRole("link", { name: "Login" })).toBeTruthy();
});

test("lets the user try again after a failure", async () => {
  open({ UndoEmailChange: new MockedError("UNAVAILABLE", "Please try again.") });
  await press();
  expect(await screen.findByRole("alert")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Undo the change" })).toBeTruthy();
});
