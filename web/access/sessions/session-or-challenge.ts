import type { SessionTokens } from "#web/platform/session.ts";
import type { SignInMutation } from "#web/generated/graphql.ts";
import { NetworkFailure } from "#web/platform/server-error.ts";

/** The second step required after a correct password. */
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
