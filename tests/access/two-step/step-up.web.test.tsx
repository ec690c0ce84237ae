import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MockedError, mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import CreateTokenDialog from "#web/access/personal-access-tokens/create-token-dialog.tsx";
import { StepUpHost } from "#web/app/portal/session-dialogs.tsx";
import DataLayer from "#web/platform/data-layer.tsx";

const webauthn = vi.hoisted(() => ({ browserSupportsWebAuthn: () => true, startAuthentication: vi.fn() }));
vi.mock("@simplewebauthn/browser", () => webauthn);

beforeEach(resetSession);

const off = {
  onSince: null,
  isRequired: false,
  isPasskeyRequired: false,
  appAddedAt: null,
  passkeys: [],
  recoveryCodesLeft: 0,
};
const key = { id: "key-1", name: "Blue key", addedAt: "2026-09-04T01:00:00.000Z", lastUsedAt: null };
const on = { ...off, onSince: "2026-09-03T14:07:00.000Z", appAddedAt: "2026-09-03T14:07:00.000Z", passkeys: [key] };
const REQUIRED = new MockedError("STEP_UP_REQUIRED", "Please prove your identity first.");
const asCustomer = { role: "regular" } as const;
const created = { createPersonalAccessToken: { secret: "xpat_secret", token: { id: "token-1" } } };

async function createToken(user: ReturnType<typeof renderWeb>["user"]) {
  fireEvent.change(await screen.findByRole("textbox", { name: /Name/ }), { target: { value: "Nightly export" } });
  await user.click(screen.getByRole("checkbox", { name: /Read licences/ }));
  await user.click(screen.getByRole("button", { name: "Create token" }));
}

/** Opens the Create token dialog, fills it in and submits it. The mock API accepts the right password or code. */
async function submitToken(twoStepSignIn: object) {
  signInAs("regular");
  let isProved = false;
  const requests = mockApi({
    TwoStepSignIn: { twoStepSignIn },
    BeginPasskeyProof: { beginPasskeyProof: { __typename: "PasskeyOptions", options: "{}" } },
    ProveIdentity: ({ password, code, passkey }: Record<string, unknown>) => {
      if (password === "Wrong-pass-1")
        return new MockedError("BAD_USER_INPUT", "Not valid.", { password: ["Your password is incorrect."] });
      isProved = Boolean(password ?? code ?? passkey);
      return { proveIdentity: { __typename: "IdentityProof", validUntil: "2026-11-22T09:40:00.000Z" } };
    },
    CreatePersonalAccessToken: () => (isProved ? created : REQUIRED),
  });
  const onCreated = vi.fn();
  const onClose = vi.fn();
  const { user, unmount } = renderWeb(
    <DataLayer>
      <CreateTokenDialog opened {...asCustomer} onClose={onClose} onCreated={onCreated} />
      <StepUpHost />
    </DataLayer>,
  );
  await createToken(user);
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it's you" });
  return { user, requests, onCreated, onClose, dialog, unmount };
}

test("continues with what was typed after the right password, and shows a wrong one in the dialog", async () => {
  const { user, onCreated, dialog, requests } = await submitToken(off);
  const password = await within(dialog).findByLabelText(/^Password/);
  await waitFor(() => expect(document.activeElement).toBe(password));
  await user.type(password, "Wrong-pass-1{Enter}");
  expect(await within(dialog).findByText("Your password is incorrect.")).toBeTruthy();
  await user.clear(password);
  await user.type(password, "Planner-tasks-47{Enter}");
  await waitFor(() => expect(onCreated).toHaveBeenCalledWith({ name: "Nightly export", secret: "xpat_secret" }));
  const sent = requests.filter(({ operation }) => operation === "CreatePersonalAccessToken");
  expect(sent.map(({ variables }) => variables)).toEqual([sent[0]?.variables, sent[0]?.variables]);
});

test("keeps the form and explains the error after Cancel and Escape, which close only itself", async () => {
  for (const close of ["Cancel", "Escape"]) {
    const { user, onCreated, onClose, dialog, unmount } = await submitToken(off);
    const password = await within(dialog).findByLabelText(/^Password/);
    if (close === "Cancel") await user.click(within(dialog).getByRole("button", { name: close }));
    else await user.type(password, "x{Escape}");
    expect(await screen.findByText("Nothing was changed, because you didn't confirm that it's you.")).toBeTruthy();
    expect([onCreated.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);
    expect(document.querySelector<HTMLInputElement>("input[name=name]")?.value).toBe("Nightly export");
    unmount();
  }
});

test("requires a code if two-step sign-in is on", async () => {
  const { user, onCreated, dialog, requests } = await submitToken(on);
  expect(within(dialog).queryByLabelText(/^Password/)).toBeNull();
  await user.type(await within(dialog).findByRole("textbox", { name: /Code/ }), "123456{Enter}");
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  expect(requests.find(({ operation }) => operation === "ProveIdentity")?.variables).toEqual({ code: "123456" });
});

test.each([
  ["instead of a code", on, "Use a passkey instead"],
  ["first if there is no authenticator app", { ...on, appAddedAt: null }, "Use passkey"],
])("accepts a passkey %s, and asks for it once while the browser's prompt is open", async (_when, state, name) => {
  const { promise, resolve } = Promise.withResolvers<object>();
  webauthn.startAuthentication.mockReturnValue(promise);
  const { user, onCreated, dialog, requests } = await submitToken(state);
  const button = await within(dialog).findByRole("button", { name });
  if (!state.appAddedAt) {
    await waitFor(() => expect(document.activeElement).toBe(button));
    expect(within(dialog).getByRole("textbox", { name: "Recovery code" })).toBeTruthy();
  }
  await user.dblClick(button);
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("true"));
  resolve({ id: "key-1" });
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  expect(requests.filter(({ operation }) => operation === "BeginPasskeyProof")).toHaveLength(1);
  expect(requests.find(({ operation }) => operation === "ProveIdentity")?.variables).toEqual({
    passkey: '{"id":"key-1"}',
  });
});

test("shows the error where a page has no dialog", async () => {
  signInAs("regular");
  mockApi({ CreatePersonalAccessToken: REQUIRED });
  const { user } = renderWeb(
    <DataLayer>
      <CreateTokenDialog opened {...asCustomer} onClose={vi.fn()} onCreated={vi.fn()} />
    </DataLayer>,
  );
  await createToken(user);
  expect(await screen.findByText("Nothing was changed, because you didn't confirm that it's you.")).toBeTruthy();
});
