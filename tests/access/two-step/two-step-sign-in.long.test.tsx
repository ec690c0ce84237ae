import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import type { Role } from "#web/platform/session.ts";
import {
  BeginPasskeyDocument,
  RemovePasskeyDocument,
  RenewRecoveryCodesDocument,
  TurnOffTwoStepSignInDocument,
  TwoStepSignInDocument,
} from "#web/generated/graphql.ts";
import TwoStepSignInPage, { TwoStepSignIn } from "#web/access/two-step/two-step-sign-in.tsx";

const webauthn = vi.hoisted(() => ({ browserSupportsWebAuthn: vi.fn(), startRegistration: vi.fn() }));
vi.mock("@simplewebauthn/browser", () => webauthn);

beforeEach(() => {
  webauthn.browserSupportsWebAuthn.mockReturnValue(true);
});

const off = { onSince: null, appAddedAt: null, passkeys: [], recoveryCodesLeft: 0 };
const since = "2026-09-03T14:07:00.000Z";
const on = { ...off, onSince: since, appAddedAt: since, recoveryCodesLeft: 10 };
const key = { id: "key-1", name: "Blue key", addedAt: "2026-09-04T01:00:00.000Z" };
const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-JKMN-000${index}`);
const proof = { password: "Demo-pass-1" };

const mockState = (twoStepSignIn: object) => mockQuery(TwoStepSignInDocument).returns({ twoStepSignIn });

function open(mocks: Mock[], role: Role = "regular", at: Parameters<typeof renderMocked>[2] = "/two-step-sign-in/") {
  startAs(role);
  const view = renderMocked(mocks, <TwoStepSignInPage />, at);
  const press = async (name: string) => view.user.click(await screen.findByRole("button", { name }));
  return { ...view, press };
}

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("keeps the dialog open if the browser creates no passkey", async () => {
  webauthn.startRegistration.mockRejectedValue(new DOMException("", "InvalidStateError"));
  const { press } = open([
    mockState(off),
    mockQuery(BeginPasskeyDocument, { proof }).returns({ beginPasskey: { options: "{}" } }),
  ]);
  await press("Add passkey");
  await dialog("Add passkey");
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  expect((await screen.findByRole("alert")).textContent).toBe("This passkey is already registered with your account.");
  expect(field("Password").value).toBe("Demo-pass-1");
});

test("explains the effect of turning it off, requires the password and a code, and reports errors", async () => {
  const turningOff = mockQuery(TurnOffTwoStepSignInDocument, { proof: { ...proof, code: "123456" } });
  const { press } = open([
    mockState(on),
    turningOff.fails("BAD_USER_INPUT", "", { fields: { password: ["Your password is incorrect."] } }),
    turningOff.returns({ turnOffTwoStepSignIn: {} }),
    mockState(off),
  ]);
  await press("Turn off");
  const confirmDialog = await dialog("Turn off two-step sign-in");
  expect(confirmDialog.getByText(/sign in with only your password/)).toBeTruthy();
  const confirm = confirmDialog.getByRole("button", { name: "Turn off" });
  confirm.click();
  await waitFor(() => expect(messageUnder(field("Code"))).toBe("Code is required."));
  expect(messageUnder(field("Password"))).toBe("Password is required.");
  fill({ Password: "Demo-pass-1", Code: "123456" });
  confirm.click();
  await waitFor(() => expect(messageUnder(field("Password"))).toBe("Your password is incorrect."));
  confirm.click();
  const status = await screen.findByText("Two-step sign-in is off.");
  await waitFor(() => expect(document.activeElement).toBe(status));
});

test("warns that removing the last passkey turns two-step sign-in off", async () => {
  const full = { ...proof, code: "ABCD-EFGH-JKMN-PQRS" };
  const { press, user } = open([
    mockState({ ...on, appAddedAt: null, passkeys: [key] }),
    mockQuery(RemovePasskeyDocument, { id: "key-1", proof: full }).returns({ removePasskey: {} }),
    mockState(off),
  ]);
  await press("Remove");
  const confirmDialog = await dialog("Remove passkey");
  expect(confirmDialog.getByText(/Blue key.*turns two-step sign-in off/)).toBeTruthy();
  await user.click(confirmDialog.getByRole("button", { name: "Use a code instead" }));
  fill({ Password: "Demo-pass-1", Code: "ABCD-EFGH-JKMN-PQRS" });
  await user.click(confirmDialog.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("The passkey has been removed.")).toBeTruthy();
});

test("warns an admin who must have a passkey before the last one is removed, also beside an app", async () => {
  const required = { ...on, isRequired: true, isPasskeyRequired: true };
  const warning = /Blue key.*You can't use anything else until you add one again/;
  const { press, unmount } = open([mockState({ ...required, passkeys: [key] })], "admin");
  await press("Remove");
  expect((await dialog("Remove passkey")).getByText(warning)).toBeTruthy();
  unmount();
  const page = open([mockState({ ...required, passkeys: [key, { ...key, id: "key-2" }] })], "admin");
  await page.user.click((await screen.findAllByRole("button", { name: "Remove" }))[0] as HTMLElement);
  expect((await dialog("Remove passkey")).queryByText(warning)).toBeNull();
});

test("replaces the remaining recovery codes with new ones", async () => {
  const full = { ...proof, code: "123456" };
  const { press } = open([
    mockState({ ...on, recoveryCodesLeft: 1 }),
    mockQuery(RenewRecoveryCodesDocument, { proof: full }).returns({ renewRecoveryCodes: { codes } }),
    mockState(on),
  ]);
  expect(await screen.findByText("1 code left.")).toBeTruthy();
  await press("Create new codes");
  await dialog("Create new recovery codes");
  fill({ Password: "Demo-pass-1", Code: "123456" });
  await press("Continue");
  const shown = await dialog("Your recovery codes");
  fireEvent.keyDown(shown.getByRole("button", { name: "Copy" }), { key: "Escape" });
  expect(await shown.findByText("Not copied yet. Copy it first, or press “I have saved my codes”.")).toBeTruthy();
  expect(shown.getByText("ABCD-EFGH-JKMN-0000")).toBeTruthy();
});

test("explains the requirement to an admin and links to the requested page afterwards", async () => {
  const at = { pathname: "/two-step-sign-in/", state: { from: "/admin/?page=2" } };
  const view = open([mockState({ ...off, isRequired: true })], "admin", at);
  expect(await screen.findByText(/Admins must use two-step sign-in here/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Continue" })).toBeNull();
  view.unmount();
  const complete = [mockState({ ...on, isRequired: true })];
  const page = open(complete, "admin", at);
  expect((await screen.findByRole("link", { name: "Continue" })).getAttribute("href")).toBe("/admin/?page=2");
  page.unmount();
  // The Security page shows the settings, too, and leads nowhere else.
  renderMocked(complete, <TwoStepSignIn />);
  expect(await screen.findByText(/^Two-step sign-in has been on since/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Continue" })).toBeNull();
});
