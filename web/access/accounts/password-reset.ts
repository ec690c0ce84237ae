import { postGraphql } from "#web/platform/post-graphql.ts";
import type {
  IsResetTokenValidQuery,
  IsResetTokenValidQueryVariables,
  RequestPasswordResetMutation,
  RequestPasswordResetMutationVariables,
  ResetPasswordMutation,
  ResetPasswordMutationVariables,
} from "#web/generated/graphql.ts";
import { type SessionOrChallenge, parseSessionOrChallenge } from "#web/access/sessions/sign-in.ts";
import validOperation from "./is-reset-token-valid.graphql?operation";
import requestOperation from "./request-password-reset.graphql?operation";
import resetOperation from "./reset-password.graphql?operation";

/**
 * Requests a reset link. No email is sent if the address has no account.
 * @throws ServerError, NetworkFailure
 */
export async function requestPasswordReset(email: string): Promise<void> {
  type Variables = RequestPasswordResetMutationVariables;
  await postGraphql<RequestPasswordResetMutation, Variables>(requestOperation, { input: { email } });
}

/**
 * Returns whether the token of a reset link is valid.
 * @throws ServerError, NetworkFailure
 */
export async function isResetTokenValid(resetToken: string): Promise<boolean> {
  type Variables = IsResetTokenValidQueryVariables;
  const input = { resetToken };
  return (await postGraphql<IsResetTokenValidQuery, Variables>(validOperation, { input })).isResetTokenValid;
}

/**
 * Sets a new password with the token of a reset link.
 * @throws ServerError with `extensions.fields`, NetworkFailure
 */
export async function resetPassword(input: ResetPasswordMutationVariables["input"]): Promise<SessionOrChallenge> {
  type Variables = ResetPasswordMutationVariables;
  const data = await postGraphql<ResetPasswordMutation, Variables>(resetOperation, { input });
  return parseSessionOrChallenge(data.resetPassword);
}
