import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { UserSessionsPanel } from "#web/access/sessions/user-sessions-panel.tsx";
import { ClearTwoStepSignInDocument, UserSessionsDocument } from "#web/generated/graphql.ts";

const reason = "Phone stolen, called back";
const mockUser = (changes: object) =>
  mockQuery(UserSessionsDocument, { id: "user-7" }).returns({
    user: { id: "user-7", firstName: "Ada", lastName: "Lövgren", ...changes },
  });
const isOn = { twoStepSince: "2026-01-01T00:00:00.000Z", sessions: [{ id: "1", browser: "Firefox on Linux" }] };
const on = mockUser(isOn);
const input = { reason, isIdentityChecked: true };
const clearing = mockQuery(ClearTwoStepSignInDocument, { userId: "user-7", input });

function open(mocks: Mock[], admin: Parameters<typeof startAs>[1] = {}) {
  startAs("admin", admin);
  return renderMocked(mocks, <UserSessionsPanel userId="user-7" />);
}

async function openDialog(...mocks: Mock[]) {
  const view = open([on, ...mocks]);
  await view.user.click(await screen.findByRole("button", { name: "Clear two-step sign-in" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Clear two-step sign-in" })) };
}

test.each([
  ["two-step sign-in is off", { twoStepSince: null }, {}],
  ["it is the admin's own account", {}, { id: "user-7" }],
  ["only owners may clear it, as for another admin", { memberType: "ADMIN" }, { staffRoles: ["support"] }],
])("shows no button while %s", async (_what, changes, admin) => {
  open([mockUser({ ...isOn, ...changes })], admin);
  expect(await screen.findByText("Firefox on Linux")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Clear two-step sign-in" })).toBeNull();
});

test("clears two-step sign-in, reports it, and shows neither the button nor the ended sessions", async () => {
  const { user, dialog } = await openDialog(clearing.returns({ clearTwoStepSignIn: { wasOn: true } }), mockUser({}));
  expect(dialog.getByText(/passkeys and recovery codes of Ada Lövgren/)).toBeTruthy();
  fill({ Reason: reason });
  await user.click(dialog.getByRole("checkbox", { name: /request comes from Ada Lövgren/ }));
  await user.click(dialog.getByRole("button", { name: "Clear two-step sign-in" }));
  expect(
    await screen.findByText("Two-step sign-in has been cleared. We have notified the user by email."),
  ).toBeTruthy();
  expect(await screen.findByText("No active sessions.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Clear two-step sign-in" })).toBeNull();
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
