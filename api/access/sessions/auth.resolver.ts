import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { signInRules, type SignInValues, proveIdentityRules } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { endSession, revokeRefreshToken } from "./end-session.ts";
import { refreshSession } from "./refresh-session.ts";
import { createSignInResult, SignInResult, toSignInResult } from "./sign-in-result.type.ts";
import { signIn } from "./sign-in.ts";
import { endView } from "./view-as-customer.ts";
import { Allow, DeletedObject } from "#api/platform/graphql/declare.ts";
import { type Static, Type } from "typebox";
import { object, string } from "yup";
import { emailLine, numberLine } from "#schema/text.ts";
import {
  clientIds,
  deleteRefreshCookie,
  deliverTokens,
  readRefreshToken,
  SessionTokens,
  sessionTokensShape,
  toSessionTokensJson,
} from "./open-session.ts";
import { completeSignIn } from "#api/access/two-step/complete-sign-in.ts";
import { proveIdentity } from "#api/access/two-step/prove-identity.ts";
import { exampleIds, exampleTokens } from "#api/platform/http/route-examples.ts";
import { type OtherResponse, routesOf, StatusResponse } from "#api/platform/http/define-route.ts";
import type { SessionOrChallenge } from "#api/access/two-step/challenges.ts";

const SESSION_ENDED = "Your session has ended. Please sign in again.";

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
    const { message } = outcome;
    return outcome.kind === "not-confirmed"
      ? createSignInResult({ problem: "NOT_CONFIRMED", message, confirmationHandle: outcome.handle })
      : createSignInResult({ problem: outcome.kind === "not-active" ? "NOT_ACTIVE" : "INVALID", message });
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
    if (!tokens) throw new AppError("UNAUTHENTICATED", { message: SESSION_ENDED });
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

/** Response with status 400 from calls that start a session, for accounts with two-step sign-in. */
export const twoStepRequiredResponse: Readonly<Record<400, OtherResponse>> = {
  400: {
    description: "The second step is required. Contains the challenge for `GrantType` `two_step`",
    schema: Type.Object({ two_step_required: Type.Array(Type.String()) }),
    example: { two_step_required: ["c0d1…"] },
  },
};

/**
 * Returns the tokens, or status 400 with `{two_step_required: [challenge]}`. The client then sends the challenge to the
 * token call with GrantType two_step (decision 0016).
 */
export function toSessionResponse(outcome: SessionOrChallenge): Static<typeof sessionTokensShape> | StatusResponse {
  if (outcome.kind === "signed-in") return toSessionTokensJson(outcome.tokens);
  return new StatusResponse(400, { two_step_required: [outcome.challenge] });
}

const secret = () => string().typeError("Must be text.").max(1_000, "Is too long.");

/** All grant types share one rule, because one call accepts them all. */
const tokenRules = object({
  GrantType: string()
    .typeError("Must be text.")
    .required("Grant type is required.")
    .oneOf(
      ["password", "refresh_token", "two_step"] as const,
      "Grant type must be password, refresh_token or two_step.",
    ),
  ClientId: string()
    .typeError("Must be text.")
    .required("Client id is required.")
    .oneOf(clientIds, "Client id is not known."),
  UserName: emailLine().when("GrantType", { is: "password", then: (rule) => rule.required("Username is required.") }),
  Password: secret().when("GrantType", { is: "password", then: (rule) => rule.required("Password is required.") }),
  RefreshToken: secret().when("GrantType", {
    is: "refresh_token",
    then: (rule) => rule.required("Refresh token is required."),
  }),
  Challenge: secret().when("GrantType", { is: "two_step", then: (rule) => rule.required("Challenge is required.") }),
  Code: numberLine(40).when("GrantType", { is: "two_step", then: (rule) => rule.required("Code is required.") }),
});

const messages = Type.Optional(Type.Array(Type.String()));

/** Response with status 400 from the token call (decision 0016). */
const refusals = {
  400: {
    description:
      "Not signed in. The key gives the reason: wrong credentials (`invalid_grant`), an unconfirmed email address with the handle of its confirmation page (`not_confirmed`), a closed account (`not_active`), an ended session (`invalid_refreshtoken`), or the challenge of the second step (`two_step_required`)",
    schema: Type.Object({
      invalid_grant: messages,
      invalid_refreshtoken: messages,
      not_confirmed: messages,
      not_active: messages,
      two_step_required: messages,
    }),
    example: { not_confirmed: [exampleIds.other] },
  },
};

const defineRoute = routesOf("Signing in");

export const authRoutes = [
  defineRoute("POST /v1/core/auth/token", {
    allow: { audience: "everyone", scope: "session" },
    summary:
      "Get an access token. Accepts a password (`GrantType` `password`), a refresh token (`refresh_token`), or the second step (`two_step`) with the challenge from `two_step_required` and a code from the authenticator app or a recovery code",
    body: tokenRules,
    bodyExample: {
      GrantType: "password",
      ClientId: "portal",
      UserName: "ada@example.com",
      Password: "correct-horse-7",
    },
    response: sessionTokensShape,
    example: exampleTokens,
    otherResponses: refusals,
    handler: async ({ context, body }) => {
      if (body.GrantType === "refresh_token") {
        const refreshed = await refreshSession(context, body.RefreshToken ?? "", body.ClientId);
        if (refreshed) return toSessionTokensJson(refreshed);
        return new StatusResponse(400, { invalid_refreshtoken: [SESSION_ENDED] });
      }
      if (body.GrantType === "two_step") {
        const challenge = body.Challenge ?? "";
        const second = await completeSignIn(context, { challenge, code: body.Code }, body.ClientId);
        if (second.kind === "signed-in") return toSessionTokensJson(second.tokens);
        // After a wrong code, the challenge is returned again as long as it can be retried.
        const retry = second.kind === "wrong" ? { two_step_required: [challenge] } : {};
        return new StatusResponse(400, { invalid_grant: [second.message], ...retry });
      }
      const outcome = await signIn(
        context,
        { email: body.UserName ?? "", password: body.Password ?? "" },
        body.ClientId,
      );
      switch (outcome.kind) {
        case "signed-in":
        case "two-step":
          return toSessionResponse(outcome);
        case "not-confirmed":
          return new StatusResponse(400, { not_confirmed: [outcome.handle] });
        case "not-active":
          return new StatusResponse(400, { not_active: [outcome.message] });
        case "invalid":
          return new StatusResponse(400, { invalid_grant: [outcome.message] });
      }
    },
  }),
  defineRoute("POST /v1/core/auth/prove", {
    operation: "Mutation.proveIdentity",
    summary:
      "Prove your identity in this session for 10 minutes, which changes of sign-in settings and other sensitive calls need. Accounts with two-step sign-in send `code`, others `password`",
    body: proveIdentityRules.omit(["passkey"]),
    bodyExample: { password: "correct-horse-7" },
    errors: ["CONFLICT"],
    handler: async ({ context, body }) => proveIdentity(context, body),
  }),
  defineRoute("POST /v1/core/auth/revoke", {
    allow: { audience: "everyone", scope: "session" },
    summary: "Sign out. Ends the session of the bearer token or of a refresh token",
    body: object({ RefreshToken: secret() }),
    bodyExample: { RefreshToken: exampleTokens.refresh_token },
    errors: ["UNAUTHENTICATED"],
    handler: async ({ context, body }) => {
      if (!context.actor && !body.RefreshToken) throw new AppError("UNAUTHENTICATED");
      if (body.RefreshToken) await revokeRefreshToken(context, body.RefreshToken);
      if (context.actor) await endSession(context, requireSession(context).sessionId);
    },
  }),
];
