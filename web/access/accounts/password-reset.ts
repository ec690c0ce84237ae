import { postGraphql } from "#web/platform/post-graphql.ts";
import type { ResetPasswordMutationVariables } from "#web/generated/graphql.ts";
import { type SessionOrChallenge, parseSessionOrChallenge } from "#web/access/sessions/sign-in.ts";
import validOperation from "operation:IsResetTokenValid";
import requestOperation from "operation:RequestPasswordReset";
import resetOperation from "operation:ResetPassword";

/**
 * Requests a reset link. No email is sent if the address has no account.
 * @throws ServerError, NetworkFailure
 */
export async function requestPasswordReset(email: string): Promise<void> {
  await postGraphql(requestOperation, { input: { email } });
}

/**
 * Returns whether the token of a reset link is valid.
 * @throws ServerError, NetworkFailure
 */
export async function isResetTokenValid(resetToken: string): Promise<boolean> {
  const input = { resetToken };
  return (await postGraphql(validOperation, { input })).isResetTokenValid;
}

/**
 * Sets a new password with the token of a reset link.
 * @throws ServerError with `extensions.fields`, NetworkFailure
 */
export async function resetPassword(input: ResetPasswordMutationVariables["input"]): Promise<SessionOrChallenge> {
  const data = await postGraphql(resetOperation, { input });
  return parseSessionOrChallenge(data.resetPassword);
}
