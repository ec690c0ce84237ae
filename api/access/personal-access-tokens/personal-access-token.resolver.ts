import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import {
  isScope,
  MAX_TOKEN_DAYS,
  MAX_TOKEN_NETWORKS,
  MAX_TOKENS,
  personalAccessTokenRules,
  type PersonalAccessTokenValues,
  scopes,
} from "#schema/personal-access-token.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createToken, CreatePersonalAccessTokenResult, listUserTokens, revokeToken } from "./tokens.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";
import { Allow, enumListType } from "#api/platform/graphql/declare.ts";

const PersonalAccessTokenInput = createInput("PersonalAccessTokenInput", personalAccessTokenRules, {
  description: "The details of a new personal access token.",
  fields: {
    name: "A name for the token, at most 80 characters.",
    scopes: "The scopes to grant, at least one, as far as the caller's role allows.",
    networks: `IP addresses and networks from which the token is accepted, such as \`203.0.113.0/24\`; at most ${MAX_TOKEN_NETWORKS}. Empty: from everywhere.`,
    expiresInDays: `The number of days until the token expires, from 1 to ${MAX_TOKEN_DAYS}.`,
  },
});

@Resolver(() => PersonalAccessToken)
export class PersonalAccessTokenResolver {
  @Allow("signedIn", { scope: "session" })
  @Query(() => [PersonalAccessToken], {
    description:
      "Returns the caller's tokens, newest first. Revoked tokens and tokens that expired more than 30 days ago are left out.",
  })
  async personalAccessTokens(@Ctx() context: Context): Promise<PersonalAccessToken[]> {
    return listUserTokens(context, requireSession(context).userId);
  }

  @Allow("signedIn", { harm: "access" })
  @Mutation(() => CreatePersonalAccessTokenResult, {
    description: `Creates a personal access token. A user can have up to ${MAX_TOKENS} at a time.`,
  })
  async createPersonalAccessToken(
    @CheckedArg("input", PersonalAccessTokenInput) input: PersonalAccessTokenValues,
    @Ctx() context: Context,
  ): Promise<CreatePersonalAccessTokenResult> {
    return createToken(context, input);
  }

  @Allow("signedIn", { proof: "conditional" })
  @Mutation(() => PersonalAccessToken, {
    description:
      "Revokes one of the caller's tokens. Owners can revoke any user's token. The token stops working immediately.",
  })
  async revokePersonalAccessToken(
    @Arg("id", () => ID, { description: "The token." }) id: string,
    @Ctx() context: Context,
  ): Promise<PersonalAccessToken> {
    return revokeToken(context, id);
  }
}

@Resolver(() => PersonalAccessToken)
export class TokenScopesResolver {
  // A token may have a scope that no longer exists.
  @FieldResolver(enumListType(scopes), { description: "The scopes granted to the token." })
  scopes(@Root() token: PersonalAccessToken): string[] {
    return token.scopes.filter(isScope);
  }
}

@Resolver(() => User)
export class TokensOfUserResolver {
  @Allow("admin", { roles: ["support"], scope: "session" })
  @FieldResolver(() => [PersonalAccessToken], {
    description: "The user's personal access tokens, as returned by the query `personalAccessTokens`.",
  })
  async personalAccessTokens(@Root() user: User, @Ctx() context: Context): Promise<PersonalAccessToken[]> {
    return listUserTokens(context, user.id);
  }
}
