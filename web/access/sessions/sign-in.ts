import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SignInInput, SignInMutation, SignInMutationVariables } from "#web/generated/graphql.ts";
import type { SessionOrQuestion } from "./session-or-question.ts";
import operation from "./sign-in.graphql?operation";

/** How a sign-in ended. */
export type SignInOutcome =
  /** In, or the password was right and the account wants a second step. */
  | SessionOrQuestion
  /** The address waits for its confirmation; `handle` opens the page that can send the link again. */
  | { kind: "not-confirmed"; handle: string; message: string | null }
  /** Wrong name or password, or an account that is not active; the sentence tells which. */
  | { kind: "refused"; message: string | null };

/**
 * Asks the api for a session. Storing it is the caller's business.
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
