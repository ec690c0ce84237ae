import { Type } from "typebox";
import { object } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  changeEmailRules,
  confirmEmailRules,
  profileRules,
  registerRules,
  undoEmailChangeRules,
} from "#schema/account.ts";
import { line } from "#schema/text.ts";
import {
  changeUnconfirmedEmail,
  getEmailConfirmation,
  resendConfirmation,
} from "#api/access/registration/email-confirmation.ts";
import { CONFIRMED, confirmEmail } from "#api/access/registration/confirm-email.ts";
import { exportMyData, myDataExample, myDataShape } from "#api/privacy/data-export/my-data.ts";
import { toProfileJson, profileShape } from "#api/people/users/profile.json.ts";
import { getProfile, getProfileSettings, profileSettingsShape } from "#api/access/profile/profile-settings.ts";
import { registerAccount } from "#api/access/registration/register-account.ts";
import { undoEmailChange } from "#api/access/registration/undo-email-change.ts";
import { updateProfile } from "#api/access/profile/update-profile.ts";
import { sessionTokensShape } from "#api/access/sessions/session-tokens.type.ts";
import { id, describedText, flag } from "#api/platform/http/json-types.ts";
import { exampleIds, examplePassword, exampleRegistration, exampleProfile, exampleTokens } from "./examples.ts";
import { markDeprecated } from "./deprecation.ts";
import { defineRoute, StatusResponse } from "./define-route.ts";
import { param } from "./param.ts";
import { toSessionResponse, twoStepRequiredResponse } from "./auth.ts";

const tag = "Accounts";
const noStore = { "cache-control": "no-store" };

const resend = {
  url: "/v1/core/accounts/resend-confirmation-email/:handle",
  params: { handle: param.handle },
  operation: "Mutation.resendConfirmationEmail",
  tag,
  headers: noStore,
} as const;

/** Calls for registering, confirming an email address and managing an account. */
export const accountRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts",
    operation: "Mutation.register",
    tag,
    summary: "Register an account. Returns the handle of its confirmation page",
    body: registerRules,
    bodyExample: { ...exampleRegistration, ...examplePassword },
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body }) => (await registerAccount(context, body)).confirmationHandle,
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/confirm-email",
    operation: "Mutation.confirmEmail",
    tag,
    summary:
      "Confirm an email address with the token from the email. Signs in a new account, or requires the second step. A new address of an existing account is confirmed with status 202 and without a session, unless its user is signed in. The password of a new account is kept if the browser or program that registered confirms; send `password` and `confirmPassword` to set it elsewhere",
    body: confirmEmailRules,
    bodyExample: { confirmationToken: "kR8v…" },
    response: sessionTokensShape,
    example: exampleTokens,
    otherResponses: {
      ...twoStepRequiredResponse,
      202: {
        description: "A new address of an existing account is confirmed. Its user has to sign in",
        schema: Type.Object({ message: Type.String() }),
        example: { message: CONFIRMED },
      },
    },
    handler: async ({ context, body }) => {
      const { confirmationToken, password } = body;
      const outcome = await confirmEmail(context, confirmationToken, { password });
      return outcome.kind === "confirmed"
        ? new StatusResponse(202, { message: CONFIRMED })
        : toSessionResponse(outcome);
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/undo-email-change",
    operation: "Mutation.undoEmailChange",
    tag,
    summary:
      "Restore an email address with the token from the link sent to it, within 7 days of the change. Signs the user out everywhere. The token is then valid once as the token of a reset link",
    body: undoEmailChangeRules,
    bodyExample: { token: "kR8v…" },
    handler: async ({ context, body }) => void (await undoEmailChange(context, body.token)),
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/core/accounts/check-confirmation/:handle",
    params: { handle: param.handle },
    operation: "Query.emailConfirmation",
    tag,
    summary: "Check a registration's confirmation. Returns the email address that the link was sent to, or `Confirmed`",
    response: describedText("The email address, or `Confirmed`"),
    example: "ada@example.com",
    handler: async ({ context, params }) => {
      const { email } = await getEmailConfirmation(context, params.handle ?? "");
      return email ?? "Confirmed";
    },
  }),
  defineRoute({
    ...resend,
    method: "POST",
    summary: "Resend the confirmation link. The previous link stops working",
    handler: async ({ context, params }) => resendConfirmation(context, params.handle ?? ""),
  }),
  defineRoute({
    ...resend,
    ...markDeprecated(
      { since: "2026-11-22", instead: "Use POST. A GET request should not change anything." },
      resend.headers,
    ),
    method: "GET",
    summary: "For existing clients only. Behaves like POST",
    handler: async ({ context, params }) => resendConfirmation(context, params.handle ?? ""),
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/core/accounts/change-email-address",
    operation: "Mutation.changeUnconfirmedEmail",
    tag,
    summary: "Change the email address of an unconfirmed registration",
    body: object({ userId: line(100).required("User id is required.") }).concat(changeEmailRules),
    bodyExample: { userId: exampleIds.other, email: "ada@example.com" },
    errors: ["NOT_FOUND"],
    handler: async ({ context, body }) => changeUnconfirmedEmail(context, body.userId, body.email),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/:userId/profile/settings",
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    tag,
    summary: "Get an account's member type and settings",
    response: profileSettingsShape,
    example: { memberType: 1, isTester: false, isServiceProvider: false },
    handler: async ({ context, params }) => getProfileSettings(context, params.userId ?? ""),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/:userId/profile",
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    tag,
    summary: "Get a profile. Admins can get any profile, other users only their own",
    response: profileShape,
    example: exampleProfile,
    handler: async ({ context, params }) => toProfileJson(await getProfile(context, params.userId ?? "")),
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/core/accounts/update-profile",
    operation: "Mutation.updateProfile",
    tag,
    summary: "Update your profile. Returns true if a new email address has to be confirmed",
    body: profileRules,
    bodyExample: exampleRegistration,
    response: flag,
    example: false,
    handler: async ({ context, body }) => (await updateProfile(context, body)).confirmationHandle !== null,
  }),
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/my-data",
    allow: { audience: "customer", scope: "session", viewers: "refused" },
    tag,
    summary: "Download your data. Returns a JSON file with everything stored about the signed-in customer",
    headers: { "content-disposition": 'attachment; filename="my-data.json"' },
    response: myDataShape,
    example: myDataExample,
    handler: async ({ context }) => exportMyData(context),
  }),
];
