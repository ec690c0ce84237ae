import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SessionTokens } from "#web/platform/session.ts";
import type {
  BeginPasskeySignInMutation,
  BeginPasskeySignInMutationVariables,
  CompleteSignInMutation,
  CompleteSignInMutationVariables,
} from "#web/generated/graphql.ts";
import beginOperation from "./begin-passkey-sign-in.graphql?operation";
import completeOperation from "./complete-sign-in.graphql?operation";

/** How the second step ended; after `wrong` it may be tried again, after `ended` the sign-in begins anew. */
export type SecondStepOutcome =
  | { kind: "signed-in"; session: SessionTokens }
  | { kind: "wrong" | "ended"; message: string };

/** Answers the question by a code or a passkey. @throws ServerError, NetworkFailure */
export async function completeSignIn(input: CompleteSignInMutationVariables["input"]): Promise<SecondStepOutcome> {
  type Variables = CompleteSignInMutationVariables;
  const data = await postGraphql<CompleteSignInMutation, Variables>(completeOperation, { input });
  const { session, problem, message } = data.completeSignIn;
  if (session) return { kind: "signed-in", session };
  return { kind: problem === "TWO_STEP_ENDED" ? "ended" : "wrong", message: message ?? "" };
}

/** What the browser is to ask a passkey, as WebAuthn's JSON. @throws ServerError, NetworkFailure */
export async function passkeyOptions(challenge: string): Promise<string> {
  type Variables = BeginPasskeySignInMutationVariables;
  return (await postGraphql<BeginPasskeySignInMutation, Variables>(beginOperation, { challenge })).beginPasskeySignIn;
}
