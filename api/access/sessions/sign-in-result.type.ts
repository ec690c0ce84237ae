import { createType, field } from "#api/platform/graphql/create-type.ts";
import { declareEnum } from "#api/platform/graphql/enum-type.ts";
import type { Context } from "#api/platform/context.ts";
import { deliverTokens } from "./refresh-cookie.ts";
import { Field, ObjectType } from "type-graphql";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { TwoStepMethods } from "#api/access/two-step/two-step-state.ts";
import { SECOND_STEP_REQUIRED, type SessionOrChallenge } from "#api/access/two-step/open-session-or-challenge.ts";
import { SessionTokens } from "./session-tokens.type.ts";

/** The reason a sign-in has not returned a session. */
export const SignInProblem = declareEnum("SignInProblem", "The reason a sign-in has not returned a session.", {
  NOT_CONFIRMED: "The email address isn't confirmed yet; see `confirmationHandle`.",
  NOT_ACTIVE: "The account is archived.",
  INVALID: "The email address or the password is wrong.",
  TWO_STEP_REQUIRED: "A second step is required; see `secondStep`.",
  TWO_STEP_ENDED: "The second step took too long or had too many attempts. Sign in again.",
});
export type SignInProblem = keyof typeof SignInProblem;
/** The second step required after a correct password. */
export const SecondStep = createType(
  "SecondStep",
  VisibleTo("everyone"),
  "The second step required after a correct password. Complete it with `completeSignIn`.",
  {
    challenge: field.text("The secret of this sign-in. It is valid for 5 minutes and 5 attempts."),
    methods: field.object(() => TwoStepMethods, "The methods that the user has set up.", { access: Scope("session") }),
  },
);
export type SecondStep = InstanceType<typeof SecondStep>;

@VisibleTo("everyone")
@ObjectType({ description: "The result of a sign-in: a session, or a problem with a message to show." })
export class SignInResult {
  @Scope("session")
  @Field(() => SessionTokens, {
    nullable: true,
    description: "The tokens of the new session. Null if there is a problem.",
  })
  session: SessionTokens | null = null;

  @Field(() => SignInProblem, {
    nullable: true,
    description: "Why there is no session. Null after a successful sign-in.",
  })
  problem: SignInProblem | null = null;

  @Field(() => String, { nullable: true, description: "A sentence to show to the user if there is a problem." })
  message: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: "The handle of the confirmation page, if the problem is NOT_CONFIRMED.",
  })
  confirmationHandle: string | null = null;

  @Scope("session")
  @Field(() => SecondStep, { nullable: true, description: "The second step, if the problem is TWO_STEP_REQUIRED." })
  secondStep: SecondStep | null = null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the new account was registered to start a trial. Only `confirmEmail` says it.",
  })
  startsTrial: boolean | null = null;
}

export function toSignInResult(context: Context, outcome: SessionOrChallenge): SignInResult {
  const result = new SignInResult();
  if (outcome.kind === "signed-in") result.session = deliverTokens(context, outcome.tokens);
  else {
    const { challenge, methods } = outcome;
    result.problem = SignInProblem.TWO_STEP_REQUIRED;
    result.message = SECOND_STEP_REQUIRED;
    result.secondStep = { challenge, methods };
  }
  return result;
}
