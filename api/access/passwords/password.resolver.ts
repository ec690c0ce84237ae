import { Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { InferType } from "yup";
import {
  changePasswordRules,
  type ChangePasswordValues,
  forgotPasswordRules,
  resetPasswordRules,
  type ResetPasswordValues,
  resetTokenRules,
} from "#schema/account.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { SignInResult, toSignInResult } from "#api/access/sessions/sign-in-result.type.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { isResetTokenValid, resetPassword } from "./reset-password.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { check } from "#api/platform/validate.ts";
import { sessionTokensShape } from "#api/access/sessions/open-session.ts";
import { flag, routesOf } from "#api/platform/http/define-route.ts";
import { examplePassword, exampleTokens, param } from "#api/platform/http/route-examples.ts";
import { toSessionResponse, twoStepRequiredResponse } from "#api/access/sessions/auth.resolver.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { verifyExistingPassword } from "#api/access/sessions/password.ts";
import { recordProof, reportProof } from "#api/access/two-step/prove-identity.ts";
import { hashNewPassword, replacePassword } from "./replace-password.ts";

const RequestPasswordResetInput = createInput("RequestPasswordResetInput", forgotPasswordRules, {
  description: "The account whose password to reset.",
});

const tokenField = { resetToken: "The token from the emailed link." };

const ResetTokenInput = createInput("ResetTokenInput", resetTokenRules, {
  description: "The token of an emailed link.",
  fields: tokenField,
});

const ResetPasswordInput = createInput("ResetPasswordInput", resetPasswordRules, {
  description: "A new password with the token of the emailed link.",
  fields: tokenField,
});

const ChangePasswordInput = createInput("ChangePasswordInput", changePasswordRules, {
  description: "The current and the new password.",
});

export const PasswordResetRequest = createType(
  "PasswordResetRequest",
  "everyone",
  "A request for a link to choose a new password.",
  { email: field.text("The address that gets the link if it has an account.") },
);
export type PasswordResetRequest = InstanceType<typeof PasswordResetRequest>;

@Resolver()
export class PasswordResolver {
  @Allow("everyone", { scope: "session" })
  @Query(() => Boolean, { description: "Returns whether a reset link is still valid." })
  async isResetTokenValid(
    @CheckedArg("input", ResetTokenInput) input: InferType<typeof resetTokenRules>,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return isResetTokenValid(context, input.resetToken);
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => PasswordResetRequest, {
    description: "Emails a reset link. Returns the same whether or not an account exists.",
  })
  async requestPasswordReset(
    @CheckedArg("input", RequestPasswordResetInput) input: InferType<typeof forgotPasswordRules>,
    @Ctx() context: Context,
  ): Promise<PasswordResetRequest> {
    await requestPasswordReset(context, input.email);
    return { email: input.email };
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => SignInResult, {
    description: "Sets a new password with the token from the emailed link and signs in.",
  })
  async resetPassword(
    @CheckedArg("input", ResetPasswordInput) input: ResetPasswordValues,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    return toSignInResult(context, await resetPassword(context, input));
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => User, { description: "Changes the caller's password and ends all of their other sessions." })
  async changePassword(
    @CheckedArg("input", ChangePasswordInput) input: ChangePasswordValues,
    @Ctx() context: Context,
  ): Promise<User> {
    await changePassword(context, input);
    return getUser(context, requireActor(context).userId);
  }
}

const defineRoute = routesOf("Passwords");

export const passwordRoutes = [
  defineRoute("PATCH /v1/core/accounts/:email/password/reset/request", {
    params: { email: param.email },
    operation: "Mutation.requestPasswordReset",
    summary: "Request a password reset link by email. The response is the same whether or not the account exists",
    errors: ["BAD_USER_INPUT"],
    handler: async ({ context, params }) =>
      requestPasswordReset(context, check(forgotPasswordRules, { email: params.email }).email),
  }),
  defineRoute("POST /v1/core/accounts/token/validate", {
    operation: "Query.isResetTokenValid",
    summary: "Check a reset token. Returns whether the token of a reset link is valid",
    body: resetTokenRules,
    bodyExample: { resetToken: "kR8v…" },
    response: flag,
    example: true,
    handler: async ({ context, body }) => isResetTokenValid(context, body.resetToken),
  }),
  defineRoute("POST /v1/core/accounts/password/reset", {
    operation: "Mutation.resetPassword",
    summary:
      "Reset a password with the token from the email. Signs in, or requires the second step, and ends all other sessions",
    body: resetPasswordRules,
    bodyExample: { ...examplePassword, resetToken: "kR8v…" },
    response: sessionTokensShape,
    example: exampleTokens,
    otherResponses: twoStepRequiredResponse,
    handler: async ({ context, body }) => toSessionResponse(await resetPassword(context, body)),
  }),
  defineRoute("POST /v1/core/accounts/password/change", {
    operation: "Mutation.changePassword",
    summary: "Change your password. Ends all other sessions",
    body: changePasswordRules,
    errors: ["CONFLICT"],
    bodyExample: { existingPassword: "correct-horse-6", ...examplePassword },
    handler: async ({ context, body }) => changePassword(context, body),
  }),
];

const wrongPassword = "This is not your existing password. Check it, or sign out and choose Forgot Password.";

/**
 * Replaces the caller's password and ends all of their other sessions.
 * @throws AppError BAD_USER_INPUT under `existingPassword` if it is wrong, or under `password` if the new one is too
 * easy to guess; STEP_UP_REQUIRED if two-step sign-in is on and the proof is too old; RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, as for signing in; UNAUTHENTICATED.
 */
async function changePassword(context: Context, values: ChangePasswordValues): Promise<void> {
  const actor = requireSession(context);
  const owner = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
  // Without two-step sign-in, the existing password is the proof.
  if (owner.twoStepSince) requireRecentProof(context);
  if (!(await verifyExistingPassword(context, owner, values.existingPassword))) {
    reportProof(context, "step-up.failed", "password");
    throw badInput({ existingPassword: [wrongPassword] });
  }
  const passwordHash = await hashNewPassword(context, owner, values.password);

  await inTransaction(context, async (em) => {
    const user = await lockRow(em, User, actor.userId, { populate: ["passwordHash"] });
    // A concurrent change replaced the password first and has ended this session.
    if (user.passwordHash !== owner.passwordHash) throw new AppError("CONFLICT");
    await recordProof(context, em, actor.sessionId);
    await replacePassword(context, em, user, { passwordHash, kept: actor.sessionId });
  });
  reportProof(context, "step-up.succeeded", "password");
}
