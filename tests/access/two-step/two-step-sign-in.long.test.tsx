import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
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
import TwoStepSignInPage from "#web/access/two-step/two-step-sign-in-page.tsx";

const webauthn = vi.hoisted(() => ({ browserSupportsWebAuthn: vi.fn(), startRegistration: vi.fn() }));
vi.mock("@simplewebauthn/browser", () => webauthn);

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  resetSession();
  webauthn.browserSupportsWebAuthn.mockReturnValue(true);
});

const off = {
  __typename: "TwoStepState",
  onSince: null,
  isRequired: false,
  isPasskeyRequired: false,
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

const mockState = (twoStepSignIn: object): Mock => ({
  request: { query: TwoStepSignInDocument },
  result: { data: { twoStepSignIn } },
});
const mockMutation = (query: Mock["request"]["query"], variables: object, data: object): Mock => ({
  request: { query, variables },
  result: { data },
});
const mockFieldError = (query: Mock["request"]["query"], variables: object, fields: object): Mock => ({
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

test("sets up an app with the password, a QR code, the first code and recovery codes", async () => {
  const setUp = { __typename: "AuthenticatorAppSetUp", secret: "ABCDEFGH234567AB", uri: "otpauth://totp/x?secret=AB" };
  const { press, user } = open([
    mockState(off),
    mockMutation(BeginAuthenticatorAppDocument, { proof }, { beginAuthenticatorApp: setUp }),
    mockFieldError(
      ConfirmAuthenticatorAppDocument,
      { input: { code: "000000" } },
      { code: ["That code is incorrect."] },
    ),
    mockMutation(
      ConfirmAuthenticatorAppDocument,
      { input: { code: "123456" } },
      { confirmAuthenticatorApp: { __typename: "RecoveryCodes", codes: codes } },
    ),
    mockState(on),
  ]);
  await press("Set up app");
  await dialog("Set up authenticator app");
  expect(screen.queryByLabelText("Code")).toBeNull();
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  expect(await screen.findByRole("img", { name: "QR code for your authenticator app" })).toBeTruthy();
  expect(screen.getByText("ABCD EFGH 2345 67AB")).toBeTruthy();
  const code = screen.getByRole<HTMLInputElement>("textbox", { name: "Code" });
  expect(code.autocomplete).toBe("one-time-code");
  expect(code.inputMode).toBe("numeric");
  fill({ Code: "000000" });
  await press("Confirm");
  await waitFor(() => expect(messageUnder(code)).toBe("That code is incorrect."));
  fill({ Code: "123456" });
  await press("Confirm");
  const shown = await dialog("Your recovery codes");
  for (const one of codes) expect(shown.getByText(one)).toBeTruthy();
  const writeText = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(shown.getByRole("button", { name: "Copy" }));
  expect(writeText).toHaveBeenCalledWith(codes.join("\n"));
  expect(await screen.findByText("Your recovery codes have been copied to clipboard.")).toBeTruthy();
  await user.click(shown.getByRole("button", { name: "I have saved my codes" }));
  const state = await screen.findByText(/has been on since/);
  expect(state.textContent).toBe("Two-step sign-in has been on since 3 Sep 2026.");
  expect(screen.getByText("10 codes left.")).toBeTruthy();
});

test("adds a passkey with a name", async () => {
  webauthn.startRegistration.mockResolvedValue({ id: "made" });
  const input = { name: "Blue key", passkey: '{"id":"made"}' };
  const { press } = open([
    mockState(off),
    mockMutation(
      BeginPasskeyDocument,
      { proof },
      { beginPasskey: { __typename: "PasskeyOptions", options: '{"challenge":"c"}' } },
    ),
    mockMutation(AddPasskeyDocument, { input }, { addPasskey: { __typename: "RecoveryCodes", codes: [] } }),
    mockState({ ...on, appAddedAt: null, passkeys: [key] }),
  ]);
  await press("Add passkey");
  await dialog("Add passkey");
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  await dialog("Name your passkey");
  await press("Save");
  await waitFor(() => expect(messageUnder(field("Name"))).toBe("Name is required."));
  fill({ Name: "Blue key" });
  await press("Save");
  expect(await screen.findByText("The passkey has been added.")).toBeTruthy();
  const added = await screen.findByText(/· Never used/);
  expect(added.textContent).toBe("Added 4 Sep 2026 · Never used");
});

test("keeps the dialog open if the browser creates no passkey", async () => {
  webauthn.startRegistration.mockRejectedValue(new DOMException("", "InvalidStateError"));
  const { press } = open([
    mockState(off),
    mockMutation(BeginPasskeyDocument, { proof }, { beginPasskey: { __typename: "PasskeyOptions", options: "{}" } }),
  ]);
  await press("Add passkey");
  await dialog("Add passkey");
  fill({ Password: "Demo-pass-1" });
  await press("Continue");
  expect((await screen.findByRole("alert")).textContent).toBe("This passkey is already registered with your account.");
  expect(field("Password").value).toBe("Demo-pass-1");
});

test("explains the effect of turning it off, requires the password and a code, and reports errors", async () => {
  const full = { ...proof, code: "123456" };
  const { press } = open([
    mockState(on),
    mockFieldError(TurnOffTwoStepSignInDocument, { proof: full }, { password: ["Your password is incorrect."] }),
    mockMutation(
      TurnOffTwoStepSignInDocument,
      { proof: full },
      { turnOffTwoStepSignIn: { __typename: "TwoStepState", onSince: null } },
    ),
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
    mockMutation(
      RemovePasskeyDocument,
      { id: "key-1", proof: full },
      { removePasskey: { __typename: "TwoStepState", onSince: null } },
    ),
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

test("replaces the remaining recovery codes with new ones", async () => {
  const full = { ...proof, code: "123456" };
  const { press } = open([
    mockState({ ...on, recoveryCodesLeft: 1 }),
    mockMutation(
      RenewRecoveryCodesDocument,
      { proof: full },
      { renewRecoveryCodes: { __typename: "RecoveryCodes", codes: codes } },
    ),
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
  const at = { at: { pathname: "/two-step-sign-in/", state: { from: "/admin/?page=2" } } };
  const view = open([mockState({ ...off, isRequired: true })], "admin", at);
  expect(await screen.findByText(/Admins must use two-step sign-in here/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Continue" })).toBeNull();
  view.unmount();
  open([mockState({ ...on, isRequired: true })], "admin", at);
  expect((await screen.findByRole("link", { name: "Continue" })).getAttribute("href")).toBe("/admin/?page=2");
});

test("reports a failed load and loads the page again on request", async () => {
  const failed = { request: { query: TwoStepSignInDocument }, result: { errors: [new GraphQLError("")] } };
  const { press } = open([failed, mockState(off)]);
  expect(screen.getByRole("heading", { level: 1, name: "Two-step sign-in" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Security" }).getAttribute("href")).toBe("/security/");
  expect(await screen.findByText("Unable to fetch your two-step sign-in settings.")).toBeTruthy();
  await press("Try again");
  expect(await screen.findByText("Two-step sign-in is off.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Turn off" })).toBeNull();
});
