import { postGraphql } from "#web/app/post-graphql.ts";
import type { SessionTokens } from "#web/app/session.ts";
import type { SignInInput, SignInMutation, SignInMutationVariables } from "#web/generated/graphql.ts";
import operation from "./sign-in.graphql?raw";

/** How a sign-in ended (spec, public §4). */
export type SignInOutcome =
  | { kind: "signed-in"; session: SessionTokens }
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
  const { session, problem, message, confirmationHandle } = result;
  if (session) return { kind: "signed-in", session };
  if (problem === "NOT_CONFIRMED" && confirmationHandle)
    return { kind: "not-confirmed", handle: confirmationHandle, message };
  return { kind: "refused", message };
}
