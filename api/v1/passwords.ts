import { changePasswordRules, forgotPasswordRules, resetPasswordRules, resetTokenRules } from "#schema/account.ts";
import { changePassword } from "#api/access/passwords/change-password.ts";
import { requestPasswordReset } from "#api/access/passwords/request-password-reset.ts";
import { isResetTokenValid, resetPassword } from "#api/access/passwords/reset-password.ts";
import { check } from "#api/platform/validate.ts";
import { sessionTokensShape } from "#api/access/sessions/session-tokens.type.ts";
import { flag } from "#api/platform/http/json-types.ts";
import { examplePassword, exampleTokens } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";
import { toSessionResponse, twoStepRequiredResponse } from "./auth.ts";

const tag = "Passwords";

export const passwordRoutes = [
  defineRoute({
    method: "PATCH",
    url: "/v1/core/accounts/:email/password/reset/request",
    params: { email: param.email },
    operation: "Mutation.requestPasswordReset",
    tag,
    summary: "Request a password reset link by email. The response is the same whether or not the account exists",
    errors: ["BAD_USER_INPUT"],
    handler: async ({ context, params }) =>
      requestPasswordReset(context, check(forgotPasswordRules, { email: params.email }).email),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/token/validate",
    operation: "Query.isResetTokenValid",
    tag,
    summary: "Check a reset token. Returns whether the token of a reset link is valid",
    body: resetTokenRules,
    bodyExample: { resetToken: "kR8v…" },
    response: flag,
    example: true,
    handler: async ({ context, body }) => isResetTokenValid(context, body.resetToken),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/password/reset",
    operation: "Mutation.resetPassword",
    tag,
    summary:
      "Reset a password with the token from the email. Signs in, or requires the second step, and ends all other sessions",
    body: resetPasswordRules,
    bodyExample: { ...examplePassword, resetToken: "kR8v…" },
    response: sessionTokensShape,
    example: exampleTokens,
    otherResponses: twoStepRequiredResponse,
    handler: async ({ context, body }) => toSessionResponse(await resetPassword(context, body)),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/password/change",
    operation: "Mutation.changePassword",
    tag,
    summary: "Change your password. Ends all other sessions",
    body: changePasswordRules,
    errors: ["CONFLICT"],
    bodyExample: { existingPassword: "correct-horse-6", ...examplePassword },
    handler: async ({ context, body }) => changePassword(context, body),
  }),
];
