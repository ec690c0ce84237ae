import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { ClearTwoStepButton } from "#web/access/sessions/user-sessions-panel.tsx";
import { ClearTwoStepSignInDocument, TwoStepOfUserDocument } from "#web/generated/graphql.ts";

const reason = "Phone stolen, called back";
const mockUser = (twoStepSince: string | null) =>
  mockQuery(TwoStepOfUserDocument, { id: "user-7" }).returns({
    user: { id: "user-7", firstName: "Ada", lastName: "Lövgren", twoStepSince },
  });
const on = mockUser("2026-01-01T00:00:00.000Z");
const input = { reason, isIdentityChecked: true };
const clearing = mockQuery(ClearTwoStepSignInDocument, { userId: "user-7", input });

function open(mocks: Mock[], admin = "admin-1") {
  startAs("admin", { id: admin });
  return renderMocked(mocks, <ClearTwoStepButton userId="user-7" />);
}

async function openDialog(...mocks: Mock[]) {
  const view = open([on, ...mocks]);
  await view.user.click(await screen.findByRole("button", { name: "Clear two-step sign-in" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Clear two-step sign-in" })) };
}

test("shows no button while two-step sign-in is off, or for the admin's own account", async () => {
  for (const [admin, mock] of [
    ["admin-1", mockUser(null)],
    ["user-7", on],
  ] as const) {
    const result = vi.fn(() => mock.result as object);
    const { unmount } = open([{ ...mock, result }], admin);
    if (admin !== "user-7") await waitFor(() => expect(result).toHaveBeenCalled());
    await act(async () => {});
    expect(screen.queryByRole("button")).toBeNull();
    unmount();
  }
});

test("clears two-step sign-in, reports it and hides the button", async () => {
  const { user, dialog } = await openDialog(clearing.returns({ clearTwoStepSignIn: { wasOn: true } }), mockUser(null));
  expect(dialog.getByText(/passkeys and recovery codes of Ada Lövgren/)).toBeTruthy();
  fill({ Reason: reason });
  await user.click(dialog.getByRole("checkbox", { name: /request comes from Ada Lövgren/ }));
  await user.click(dialog.getByRole("button", { name: "Clear two-step sign-in" }));
  expect(
    await screen.findByText("Two-step sign-in has been cleared. We have notified the user by email."),
  ).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Clear two-step sign-in" })).toBeNull());
});

test("requires a reason and an identity check, and keeps the input after a failure", async () => {
  const { user, dialog } = await openDialog(clearing.fails());
  const submit = () => user.click(dialog.getByRole("button", { name: "Clear two-step sign-in" }));
  await submit();
  await waitFor(() => expect(messageUnder(field("Reason"))).toBe("Reason is required."));
  expect(dialog.getByText("Please verify the user's identity first.")).toBeTruthy();
  fill({ Reason: reason });
  await user.click(dialog.getByRole("checkbox"));
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to clear the user's two-step sign-in.");
  expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveProperty("value", reason);
});
