import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { ClearTwoStepButton } from "#web/access/two-step/clear-two-step-button.tsx";
import { ClearTwoStepSignInDocument, TwoStepOfUserDocument } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

const reason = "Phone stolen, called back";
const known = (twoStepSince: string | null): Mock => ({
  request: { query: TwoStepOfUserDocument, variables: { id: "user-7" } },
  result: { data: { user: { __typename: "User", id: "user-7", firstName: "Ada", lastName: "Lövgren", twoStepSince } } },
});
const on = known("2026-01-01T00:00:00.000Z");
const clearing = (result: object): Mock => ({
  request: {
    query: ClearTwoStepSignInDocument,
    variables: { userId: "user-7", input: { reason, isIdentityChecked: true } },
  },
  result,
});

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin", { id: "admin-1" });
});

const open = (...mocks: Mock[]) =>
  renderWeb(
    <MockedProvider mocks={mocks}>
      <ClearTwoStepButton userId="user-7" />
    </MockedProvider>,
  );

async function ask(...mocks: Mock[]) {
  const view = open(on, ...mocks);
  await view.user.click(await screen.findByRole("button", { name: "Clear Two-Step Sign-In" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Clear Two-Step Sign-In" })) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test("there is no button while it is off", async () => {
  open(known(null));
  await settled();
  expect(screen.queryByRole("button")).toBeNull();
});

test("there is no button on the admin's own account", async () => {
  signInAs("admin", { id: "user-7" });
  open(on);
  await settled();
  expect(screen.queryByRole("button")).toBeNull();
});

test("it is not done without a reason, nor without having made sure who asks", async () => {
  const { user, dialog } = await ask();
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(messageUnder(field("Reason"))).toBe("Reason is required."));
  expect(dialog.getByText("Please verify the user's identity first.")).toBeTruthy();
});

test("a reason and a made sure later it is done, said, and the button goes", async () => {
  const { user, dialog } = await ask(clearing({ data: { clearTwoStepSignIn: true } }), known(null));
  expect(dialog.getByText(/passkeys and recovery codes of Ada Lövgren are erased/)).toBeTruthy();
  fill({ Reason: reason });
  await user.click(dialog.getByRole("checkbox", { name: /it is Ada Lövgren who asks/ }));
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(
    await screen.findByText("Two-step sign-in has been cleared, and the user has been told by mail."),
  ).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Clear Two-Step Sign-In" })).toBeNull());
});

test("a failure is said, and what was typed stays", async () => {
  const refusal = { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] };
  const { user, dialog } = await ask(clearing(refusal));
  fill({ Reason: reason });
  await user.click(dialog.getByRole("checkbox"));
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to clear the user's two-step sign-in.");
  expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveProperty("value", reason);
});
