import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SignInInput, SignInMutation, SignInMutationVariables } from "#web/generated/graphql.ts";
import type { SessionOrChallenge } from "./session-or-challenge.ts";
import operation from "./sign-in.graphql?operation";

/** Outcome of a sign-in. */
export type SignInOutcome =
  /** A session, or the second step after a correct password. */
  | SessionOrChallenge
  /** The address is not confirmed. `handle` opens the page that can send the link again. */
  | { kind: "not-confirmed"; handle: string; message: string | null }
  /** The credentials are wrong or the account is not active, as `message` explains. */
  | { kind: "refused"; message: string | null };

/**
 * Signs in. The caller stores the session.
 * @throws ServerError, NetworkFailure
 */
export async function signIn(input: SignInInput): Promise<SignInOutcome> {
  const { signIn: result } = await postGraphql<SignInMutation, SignInMutationVariables>(operation, { input });
  const { session, problem, message, confirmationHandle, secondStep } = result;
  if (session) return { kind: "signed-in", session };
  if (secondStep) return { kind: "second-step", question: secondStep };
  if (problem === "NOT_CONFIRMED" && confirmationHandle)
    return { kind: "not-confirmed", handle: confirmationHandle, message };
  return { kind: "refused", message };
}
