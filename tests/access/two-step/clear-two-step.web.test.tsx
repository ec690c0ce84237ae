import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { act, screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ClearTwoStepButton } from "#web/access/sessions/user-sessions-panel.tsx";
import { ClearTwoStepSignInDocument, TwoStepOfUserDocument } from "#web/generated/graphql.ts";

type Mock = MockLink.MockedResponse;

const reason = "Phone stolen, called back";
const mockUser = (twoStepSince: string | null): Mock => ({
  request: { query: TwoStepOfUserDocument, variables: { id: "user-7" } },
  result: { data: { user: { __typename: "User", id: "user-7", firstName: "Ada", lastName: "Lövgren", twoStepSince } } },
});
const on = mockUser("2026-01-01T00:00:00.000Z");
const mockClear = (result: object): Mock => ({
  request: {
    query: ClearTwoStepSignInDocument,
    variables: { userId: "user-7", input: { reason, isIdentityChecked: true } },
  },
  result,
});

beforeEach(() => {
  resetSession();
  signInAs("admin", { id: "admin-1" });
});

const open = (...mocks: Mock[]) =>
  renderWeb(
    <MockedProvider mocks={mocks}>
      <ClearTwoStepButton userId="user-7" />
    </MockedProvider>,
  );

async function openDialog(...mocks: Mock[]) {
  const view = open(on, ...mocks);
  await view.user.click(await screen.findByRole("button", { name: "Clear two-step sign-in" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Clear two-step sign-in" })) };
}

test("shows no button while two-step sign-in is off, or for the admin's own account", async () => {
  for (const [admin, mock] of [
    ["admin-1", mockUser(null)],
    ["user-7", on],
  ] as const) {
    signInAs("admin", { id: admin });
    const result = vi.fn(() => mock.result as object);
    const { unmount } = open({ ...mock, result });
    if (admin !== "user-7") await waitFor(() => expect(result).toHaveBeenCalled());
    await act(async () => {});
    expect(screen.queryByRole("button")).toBeNull();
    unmount();
  }
});

test("clears two-step sign-in, reports it and hides the button", async () => {
  const { user, dialog } = await openDialog(
    mockClear({
      data: {
        clearTwoStepSignIn: {
          __typename: "ClearTwoStepResult",
          wasOn: true,
          user: { __typename: "User", id: "1", twoStepSince: null },
        },
      },
    }),
    mockUser(null),
  );
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
  const refusal = { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] };
  const { user, dialog } = await openDialog(mockClear(refusal));
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
