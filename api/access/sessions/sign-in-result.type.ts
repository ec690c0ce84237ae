import { Field, ObjectType, registerEnumType } from "type-graphql";
import { TwoStepMethods } from "#api/access/two-step/methods.ts";
import { SECOND_STEP_NEEDED, type SessionOrQuestion } from "#api/access/two-step/open-or-ask.ts";
import { SessionTokens } from "./session-tokens.type.ts";

/** Why there is no session yet. */
export enum SignInProblem {
  NOT_CONFIRMED = "NOT_CONFIRMED",
  NOT_ACTIVE = "NOT_ACTIVE",
  INVALID = "INVALID",
  TWO_STEP_REQUIRED = "TWO_STEP_REQUIRED",
  TWO_STEP_ENDED = "TWO_STEP_ENDED",
}
registerEnumType(SignInProblem, { name: "SignInProblem", description: "Why there is no session yet." });

/** What stands between the right password and a session. */
@ObjectType({ description: "What stands between the right password and a session: answer it with completeSignIn." })
export class SecondStep {
  @Field(() => String, { description: "Secret of this sign-in; works for 5 minutes and 5 answers." })
  challenge!: string;

  @Field(() => TwoStepMethods)
  methods!: TwoStepMethods;
}

/** A session, or the problem and the sentence to show. */
@ObjectType({ description: "A session, or the problem and the sentence to show." })
export class SignInResult {
  @Field(() => SessionTokens, { nullable: true })
  session: SessionTokens | null = null;

  @Field(() => SignInProblem, { nullable: true })
  problem: SignInProblem | null = null;

  @Field(() => String, { nullable: true })
  message: string | null = null;

  @Field(() => String, { nullable: true, description: "With NOT_CONFIRMED: handle of the confirmation page." })
  confirmationHandle: string | null = null;

  @Field(() => SecondStep, { nullable: true, description: "With TWO_STEP_REQUIRED." })
  secondStep: SecondStep | null = null;
}

/** A session or the question for the second step, as GraphQL answers it. */
export function signInResultOf(outcome: SessionOrQuestion): SignInResult {
  const result = new SignInResult();
  if (outcome.kind === "signed-in") result.session = outcome.tokens;
  else {
    const { challenge, methods } = outcome;
    result.problem = SignInProblem.TWO_STEP_REQUIRED;
    result.message = SECOND_STEP_NEEDED;
    result.secondStep = { challenge, methods };
  }
  return result;
}
