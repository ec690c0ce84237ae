import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { signInRules, type SignInValues } from "#schema/account.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { endSession } from "./end-session.ts";
import { deleteRefreshCookie, deliverTokens, readRefreshToken } from "./refresh-cookie.ts";
import { refreshSession } from "./refresh-session.ts";
import { SessionTokens } from "./session-tokens.type.ts";
import { SignInProblem, SignInResult, toSignInResult } from "./sign-in-result.type.ts";
import { signIn } from "./sign-in.ts";
import { endView } from "./view-as-customer.ts";
import { DeletedObject } from "#api/platform/graphql/deleted-object.ts";

const SignInInput = createInput("SignInInput", signInRules, {
  description: "Email address and password of an account.",
});

@Resolver()
export class AuthResolver {
  @Allow("everyone", { scope: "session" })
  @Mutation(() => SignInResult, { description: "Signs in with email and password." })
  async signIn(@CheckedArg("input", SignInInput) input: SignInValues, @Ctx() context: Context): Promise<SignInResult> {
    const outcome = await signIn(context, input, "portal");
    if (outcome.kind === "signed-in" || outcome.kind === "two-step") return toSignInResult(context, outcome);
    const result = new SignInResult();
    result.message = outcome.message;
    if (outcome.kind === "not-confirmed") {
      result.problem = SignInProblem.NOT_CONFIRMED;
      result.confirmationHandle = outcome.handle;
    } else result.problem = outcome.kind === "not-active" ? SignInProblem.NOT_ACTIVE : SignInProblem.INVALID;
    return result;
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => SessionTokens, {
    description:
      "Exchanges a refresh token for new tokens. A refresh token can be used once. The portal keeps its own in a cookie and sends a marker.",
  })
  async refreshSession(
    @Arg("refreshToken", () => String, { description: "The refresh token of the session." }) refreshToken: string,
    @Ctx() context: Context,
  ): Promise<SessionTokens> {
    const token = await readRefreshToken(context, refreshToken);
    const tokens = token === null ? null : await refreshSession(context, token, "portal");
    if (!tokens) throw new AppError("UNAUTHENTICATED", { message: "Your session has ended. Please sign in again." });
    return deliverTokens(context, tokens);
  }

  @Allow("anySession", { scope: "session", viewers: "allowed" })
  @Mutation(() => DeletedObject, {
    description: "Ends the current session, or the current view as a customer. Returns the ended session.",
  })
  async signOut(@Ctx() context: Context): Promise<DeletedObject> {
    const { sessionId } = requireSession(context);
    if (context.actor?.viewerId) await endView(context);
    else {
      await endSession(context, sessionId);
      deleteRefreshCookie(context);
    }
    return { id: sessionId };
  }
}
