import { createType, declareEnum, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { deliverTokens, SessionTokens } from "#api/access/sessions/open-session.ts";
import { TwoStepMethods } from "#api/access/two-step/two-step-state.ts";
import { SECOND_STEP_REQUIRED, type SessionOrChallenge } from "#api/access/two-step/challenges.ts";

export const SignInProblem = declareEnum("SignInProblem", "The reason a sign-in has not returned a session.", {
  NOT_CONFIRMED: "The email address isn't confirmed yet; see `confirmationHandle`.",
  NOT_ACTIVE: "The account is archived.",
  INVALID: "The email address, the password, the code or the passkey is wrong.",
  TWO_STEP_REQUIRED: "A second step is required; see `secondStep`.",
  TWO_STEP_ENDED: "The second step took too long or had too many attempts. Sign in again.",
});
export const SecondStep = createType(
  "SecondStep",
  "everyone",
  "The second step required after a correct password. Complete it with `completeSignIn`.",
  {
    challenge: field.text("The secret of this sign-in. It is valid for 5 minutes and 5 attempts."),
    methods: field.object(() => TwoStepMethods, "The methods that the user has set up.", { access: Scope("session") }),
  },
);

export const SignInResult = createType(
  "SignInResult",
  "everyone",
  "The result of a sign-in: a session, or a problem with a message to show.",
  {
    session: fieldOrNull.object(() => SessionTokens, "The tokens of the new session. Null if there is a problem.", {
      access: Scope("session"),
    }),
    problem: fieldOrNull.code(SignInProblem, "Why there is no session. Null after a successful sign-in."),
    message: fieldOrNull.text("A sentence to show to the user if there is a problem."),
    confirmationHandle: fieldOrNull.text("The handle of the confirmation page, if the problem is NOT_CONFIRMED."),
    secondStep: fieldOrNull.object(() => SecondStep, "The second step, if the problem is TWO_STEP_REQUIRED.", {
      access: Scope("session"),
    }),
    startsTrial: fieldOrNull.flag(
      "Whether the new account was registered to start a trial. Only `confirmEmail` says it.",
    ),
  },
);
export type SignInResult = InstanceType<typeof SignInResult>;

/** Creates the result of a sign-in. Other fields are null. */
export const createSignInResult = (fields: Partial<SignInResult>): SignInResult => ({
  session: null,
  problem: null,
  message: null,
  confirmationHandle: null,
  secondStep: null,
  startsTrial: null,
  ...fields,
});

export function toSignInResult(context: Context, outcome: SessionOrChallenge): SignInResult {
  if (outcome.kind === "signed-in") return createSignInResult({ session: deliverTokens(context, outcome.tokens) });
  const { challenge, methods } = outcome;
  return createSignInResult({
    problem: SignInProblem.TWO_STEP_REQUIRED,
    message: SECOND_STEP_REQUIRED,
    secondStep: { challenge, methods },
  });
}
