import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SignInInput, SignInMutation } from "#web/generated/graphql.ts";
import operation from "operation:SignIn";
import type { SessionTokens } from "#web/platform/session.ts";
import { NetworkFailure } from "#web/platform/server-error.ts";

export type SecondStepChallenge = NonNullable<SignInMutation["signIn"]["secondStep"]>;

/** A session or a required second step, as returned by every sign-in method. */
export type SessionOrChallenge =
  | { kind: "signed-in"; session: SessionTokens }
  | { kind: "second-step"; question: SecondStepChallenge };

/**
 * Returns the session or second step of an API result.
 * @throws NetworkFailure if it contains neither.
 */
export function parseSessionOrChallenge(result: {
  session?: SessionTokens | null | undefined;
  secondStep?: SecondStepChallenge | null | undefined;
}): SessionOrChallenge {
  if (result.session) return { kind: "signed-in", session: result.session };
  if (result.secondStep) return { kind: "second-step", question: result.secondStep };
  throw new NetworkFailure("The server's response contains no session.");
}

type SignInOutcome =
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
  const { signIn: result } = await postGraphql(operation, { input });
  const { session, problem, message, confirmationHandle, secondStep } = result;
  if (session || secondStep) return parseSessionOrChallenge(result);
  if (problem === "NOT_CONFIRMED" && confirmationHandle)
    return { kind: "not-confirmed", handle: confirmationHandle, message };
  return { kind: "refused", message };
}
