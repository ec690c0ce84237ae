import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import type { Role } from "#web/platform/session.ts";
import {
  AddPasskeyDocument,
  BeginAuthenticatorAppDocument,
  BeginPasskeyDocument,
  ConfirmAuthenticatorAppDocument,
  RemovePasskeyDocument,
  RenewRecoveryCodesDocument,
  TurnOffTwoStepSignInDocument,
  TwoStepSignInDocument,
} from "#web/generated/graphql.ts";
import TwoStepSignInPage from "#web/pages/customer/two-step-sign-in.tsx";
import { notify } from "#web/platform/notifications.ts";

const webauthn = vi.hoisted(() => ({ browserSupportsWebAuthn: vi.fn(), startRegistration: vi.fn() }));
vi.mock("@simplewebauthn/browser", () => webauthn);

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  signedOut();
  notify.clear();
  webauthn.browserSupportsWebAuthn.mockReturnValue(true);
});

const off = {
  __typename: "TwoStepState",
  onSince: null,
  isRequired: false,
  appAddedAt: null,
  passkeys: [],
  recoveryCodesLeft: 0,
};
const on = {
  ...off,
  onSince: "2026-09-03T14:07:00.000Z",
  appAddedAt: "2026-09-03T14:07:00.000Z",
  recoveryCodesLeft: 10,
};
const key = {
  __typename: "Passkey",
  id: "key-1",
  name: "Blue key",
  addedAt: "2026-09-04T01:00:00.000Z",
  lastUsedAt: null,
};
const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-JKMN-000${index}`);

const state = (twoStepSignIn: object): Mock => ({
  request: { query: TwoStepSignInDocument },
  result: { data: { twoStepSignIn } },
});
const mutation = (query: Mock["request"]["query"], variables: object, data: object): Mock => ({
  request: { query, variables },
  result: { data },
});
const refusedUnder = (query: Mock["request"]["query"], variables: object, fields: object): Mock => ({
  request: { query, variables },
  result: { errors: [new GraphQLError("Not valid.", { extensions: { code: "BAD_USER_INPUT", fields } })] },
});
const proof = { password: "Demo-pass-1" };

function open(mocks: Mock[], role: Role = "regular", at: Parameters<typeof renderWeb>[1] = {}) {
  signInAs(role);
  const view = renderWeb(
    <MockedProvider mocks={mocks}>
      <TwoStepSignInPage />
    </MockedProvider>,
    { at: "/two-step-sign-in/", ...at },
  );
  const press = async (name: string) => view.user.click(await screen.findByRole("button", { name }));
  return { ...view, press };
}

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test.each([
  ["regular", "My Account", "/my-account/"],
  ["corporate", "My Account", "/my-account/"],
  ["admin", "Admin", "/admin/"],
] as const)("the page of %s leads back to %s", async (role, label, href) => {
  open([state(off)], role);
  expect(screen.getByRole("heading", { level: 1, name: "Two-Step Sign-In" })).toBeTruthy();
  expect(screen.getByRole("link", { name: new RegExp(label) }).getAttribute("href")).toBe(href);
  expect(await screen.findByText("Two-step sign-in is off.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Turn Off" })).toBeNull();
});

test("an app is set up: password, picture and key, first code, recovery codes to copy", async () => {
  const setUp = { __typename: "AuthenticatorAppSetUp", secret: "ABCDEFGH234567AB", uri: "otpauth://totp/x?secret=AB" };
  const { press, user } = open([
    state(off),
    mutation(BeginAuthenticatorAppDocument, { proof }, { beginAuthenticatorApp: setUp }),
    refusedUnder(ConfirmAuthenticatorAppDocument, { input: { code: "000000" } }, { code: ["That code is not right."] }),
    mutation(ConfirmAuthenticatorAppDocument, { input: { code: "123456" } }, { confirmAuthenticatorApp: codes }),
    state(on),
  ]);
  await press("Set Up App");
  await dialog("Set Up Authenticator App");
  expect(screen.queryByLabelText("Code")).toBeNull();
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  expect(await screen.findByRole("img", { name: "QR code for your authenticator app" })).toBeTruthy();
  expect(screen.getByText("ABCD EFGH 2345 67AB")).toBeTruthy();
  const code = screen.getByRole<HTMLInputElement>("textbox", { name: "Code" });
  expect(code.autocomplete).toBe("one-time-code");
  expect(code.inputMode).toBe("numeric");
  await user.type(code, "000000");
  await press("Confirm");
  await waitFor(() => expect(messageUnder(code)).toBe("That code is not right."));
  await user.clear(code);
  await user.type(code, "123456");
  await press("Confirm");
  const shown = await dialog("Your Recovery Codes");
  for (const one of codes) expect(shown.getByText(one)).toBeTruthy();
  const writeText = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(shown.getByRole("button", { name: "Copy" }));
  expect(writeText).toHaveBeenCalledWith(codes.join("\n"));
  expect(await screen.findByText("Your recovery codes have been copied to clipboard.")).toBeTruthy();
  await user.click(shown.getByRole("button", { name: "I Have Kept Them" }));
  expect(await screen.findByText("Two-step sign-in has been on since 3 Sep 2026.")).toBeTruthy();
  expect(screen.getByText("10 are left.")).toBeTruthy();
});

test("a passkey is added under a name", async () => {
  webauthn.startRegistration.mockResolvedValue({ id: "made" });
  const input = { name: "Blue key", passkey: '{"id":"made"}' };
  const { press } = open([
    state(off),
    mutation(BeginPasskeyDocument, { proof }, { beginPasskey: '{"challenge":"c"}' }),
    mutation(AddPasskeyDocument, { input }, { addPasskey: [] }),
    state({ ...on, appAddedAt: null, passkeys: [key] }),
  ]);
  await press("Add Passkey");
  await dialog("Add Passkey");
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  await dialog("Name Your Passkey");
  await press("Save");
  await waitFor(() => expect(messageUnder(field("Name"))).toBe("Name is required."));
  fill({ Name: "Blue key" });
  await press("Save");
  expect(await screen.findByText("The passkey has been added.")).toBeTruthy();
  expect(await screen.findByText("Added 4 Sep 2026 · Not used yet")).toBeTruthy();
});

test("a passkey that the browser did not make leaves the dialog as it was", async () => {
  webauthn.startRegistration.mockRejectedValue(new DOMException("", "InvalidStateError"));
  const { press } = open([state(off), mutation(BeginPasskeyDocument, { proof }, { beginPasskey: "{}" })]);
  await press("Add Passkey");
  await dialog("Add Passkey");
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  expect((await screen.findByRole("alert")).textContent).toBe("This passkey belongs to your account already.");
  expect(field("Password").value).toBe("Demo-pass-1");
});

test("turning off says what it means, asks for password and code, and shows what was wrong", async () => {
  const full = { ...proof, code: "123456" };
  const { press } = open([
    state(on),
    refusedUnder(TurnOffTwoStepSignInDocument, { proof: full }, { password: ["Your password is incorrect."] }),
    mutation(TurnOffTwoStepSignInDocument, { proof: full }, { turnOffTwoStepSignIn: true }),
    state(off),
  ]);
  await press("Turn Off");
  const asked = await dialog("Turn Two-Step Sign-In Off");
  expect(asked.getByText(/your password alone opens your account/)).toBeTruthy();
  const confirm = asked.getByRole("button", { name: "Turn Off" });
  confirm.click();
  await waitFor(() => expect(messageUnder(field("Code"))).toBe("Code is required."));
  expect(messageUnder(field("Password"))).toBe("Password is required.");
  fill({ Password: "Demo-pass-1", Code: "123456" });
  confirm.click();
  await waitFor(() => expect(messageUnder(field("Password"))).toBe("Your password is incorrect."));
  confirm.click();
  const said = await screen.findByText("Two-step sign-in is off.");
  await waitFor(() => expect(document.activeElement).toBe(said));
});

test("removing the last passkey says that it turns two-step sign-in off", async () => {
  const full = { ...proof, code: "ABCD-EFGH-JKMN-PQRS" };
  const { press, user } = open([
    state({ ...on, appAddedAt: null, passkeys: [key] }),
    mutation(RemovePasskeyDocument, { id: "key-1", proof: full }, { removePasskey: true }),
    state(off),
  ]);
  await press("Remove");
  const asked = await dialog("Remove Passkey");
  expect(asked.getByText(/Blue key.*is then off/)).toBeTruthy();
  await user.click(asked.getByRole("button", { name: "Use a code instead" }));
  fill({ Password: "Demo-pass-1", Code: "ABCD-EFGH-JKMN-PQRS" });
  await user.click(asked.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("The passkey has been removed.")).toBeTruthy();
});

test("new recovery codes take the place of the few that are left", async () => {
  const full = { ...proof, code: "123456" };
  const { press } = open([
    state({ ...on, recoveryCodesLeft: 1 }),
    mutation(RenewRecoveryCodesDocument, { proof: full }, { renewRecoveryCodes: codes }),
    state(on),
  ]);
  expect(await screen.findByText("1 is left.")).toBeTruthy();
  await press("New Recovery Codes");
  await dialog("New Recovery Codes");
  fill({ Password: "Demo-pass-1", Code: "123456" });
  await press("Continue");
  expect((await dialog("Your Recovery Codes")).getByText("ABCD-EFGH-JKMN-0000")).toBeTruthy();
});

test("an admin who has to set it up reads why, and is led on to where they wanted to go afterwards", async () => {
  const at = { at: { pathname: "/two-step-sign-in/", state: { from: "/admin/?page=2" } } };
  const view = open([state({ ...off, isRequired: true })], "admin", at);
  expect(await screen.findByText(/Admins sign in in two steps here/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Go On" })).toBeNull();
  view.unmount();
  open([state({ ...on, isRequired: true })], "admin", at);
  expect((await screen.findByRole("link", { name: "Go On" })).getAttribute("href")).toBe("/admin/?page=2");
});

test("what can't be fetched says so and can be fetched again", async () => {
  const failed = { request: { query: TwoStepSignInDocument }, result: { errors: [new GraphQLError("")] } };
  const { press } = open([failed, state(off)]);
  expect(await screen.findByText("Unable to fetch your two-step sign-in.")).toBeTruthy();
  await press("Try Again");
  expect(await screen.findByText("Two-step sign-in is off.")).toBeTruthy();
});
