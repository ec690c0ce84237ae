import type { SessionTokens } from "#web/platform/session.ts";
import type { SignInMutation } from "#web/generated/graphql.ts";
import { NetworkFailure } from "#web/platform/server-error.ts";

/** What stands between the right password and a session, as the api asks it. */
export type SecondStepQuestion = NonNullable<SignInMutation["signIn"]["secondStep"]>;

/** A session, or the question before it, from any of the ways in. */
export type SessionOrQuestion =
  | { kind: "signed-in"; session: SessionTokens }
  | { kind: "second-step"; question: SecondStepQuestion };

/** Reads which of the two an answer holds. @throws NetworkFailure when it holds neither. */
export function sessionOrQuestion(answer: {
  session?: SessionTokens | null | undefined;
  secondStep?: SecondStepQuestion | null | undefined;
}): SessionOrQuestion {
  if (answer.session) return { kind: "signed-in", session: answer.session };
  if (answer.secondStep) return { kind: "second-step", question: answer.secondStep };
  throw new NetworkFailure("The server's answer holds no session.");
}
