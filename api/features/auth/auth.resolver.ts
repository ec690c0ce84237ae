import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver, registerEnumType } from "type-graphql";
import { signInRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { endSession } from "./end-session.ts";
import { refreshSession } from "./refresh-session.ts";
import { SessionTokens } from "./session-tokens.type.ts";
import { signIn } from "./sign-in.ts";

/** Why a sign-in was refused. */
export enum SignInProblem {
  NOT_CONFIRMED = "NOT_CONFIRMED",
  NOT_ACTIVE = "NOT_ACTIVE",
  INVALID = "INVALID",
}
registerEnumType(SignInProblem, { name: "SignInProblem", description: "Why a sign-in was refused." });

@InputType()
export class SignInInput {
  @Field(() => String)
  email!: string;

  @Field(() => String)
  password!: string;
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
}

@Resolver()
export class AuthResolver {
  @Allow("everyone")
  @Check({ input: signInRules })
  @Mutation(() => SignInResult, { description: "Signs in with email and password." })
  async signIn(@Arg("input", () => SignInInput) input: SignInInput, @Ctx() context: Context): Promise<SignInResult> {
    const outcome = await signIn(context, input, "portal");
    const result = new SignInResult();
    if (outcome.kind === "signed-in") {
      result.session = outcome.tokens;
      return result;
    }
    result.message = outcome.message;
    if (outcome.kind === "not-confirmed") {
      result.problem = SignInProblem.NOT_CONFIRMED;
      result.confirmationHandle = outcome.handle;
    } else result.problem = outcome.kind === "not-active" ? SignInProblem.NOT_ACTIVE : SignInProblem.INVALID;
    return result;
  }

  @Allow("everyone")
  @Mutation(() => SessionTokens, { description: "Exchanges a refresh token for new tokens; once." })
  async refreshSession(
    @Arg("refreshToken", () => String) refreshToken: string,
    @Ctx() context: Context,
  ): Promise<SessionTokens> {
    const tokens = await refreshSession(context, refreshToken);
    if (!tokens) throw new AppError("UNAUTHENTICATED", { message: "Your session has ended. Please sign in again." });
    return tokens;
  }

  @Allow("signedIn")
  @Mutation(() => Boolean, { description: "Ends this session at once." })
  async signOut(@Ctx() context: Context): Promise<boolean> {
    if (context.actor) await endSession(context, context.actor.sessionId);
    return true;
  }
}
