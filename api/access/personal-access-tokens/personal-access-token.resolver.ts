import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { type PersonalAccessTokenValues, personalAccessTokenRules } from "#schema/rules/personal-access-token.ts";
import { LONGEST_TOKEN_DAYS, MOST_TOKENS, scopeNames } from "#schema/scopes.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createToken } from "./create-token.ts";
import { listOwnTokens, listTokensOf } from "./list-tokens.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";
import { revokeToken } from "./revoke-token.ts";

@InputType({ description: "A personal access token as its owner makes it." })
export class PersonalAccessTokenInput implements PersonalAccessTokenValues {
  @Field(() => String, { description: "At most 80 characters." })
  name!: string;

  @Field(() => [String], {
    description: `At least one of ${scopeNames.join(", ")}, as the caller's role may have them.`,
  })
  scopes!: PersonalAccessTokenValues["scopes"];

  @Field(() => Int, { description: `Days from 1 to ${LONGEST_TOKEN_DAYS}.` })
  expiresInDays!: number;
}

@ObjectType({ description: "A token that was just made." })
export class CreatePersonalAccessTokenResult {
  @Field(() => PersonalAccessToken)
  token!: PersonalAccessToken;

  @Field(() => String, { description: "The token's text, `xpat_…`: shown now and never again." })
  secret!: string;
}

@Resolver(() => PersonalAccessToken)
export class PersonalAccessTokenResolver {
  @Allow("signedIn")
  @Query(() => [PersonalAccessToken], {
    description: "The caller's tokens, newest first: those not revoked, with those that expired in the last 30 days.",
  })
  async personalAccessTokens(@Ctx() context: Context): Promise<PersonalAccessToken[]> {
    return listOwnTokens(context);
  }

  @Allow("signedIn")
  @Check({ input: personalAccessTokenRules })
  @Mutation(() => CreatePersonalAccessTokenResult, { description: `Each person may have ${MOST_TOKENS} at a time.` })
  async createPersonalAccessToken(
    @Arg("input", () => PersonalAccessTokenInput) input: PersonalAccessTokenInput,
    @Ctx() context: Context,
  ): Promise<CreatePersonalAccessTokenResult> {
    return createToken(context, input);
  }

  @Allow("signedIn")
  @Mutation(() => PersonalAccessToken, {
    description: "Revokes a token of the caller's, or anybody's as an admin; it stops working at once, for good.",
  })
  async revokePersonalAccessToken(
    @Arg("id", () => ID) id: string,
    @Ctx() context: Context,
  ): Promise<PersonalAccessToken> {
    return revokeToken(context, id);
  }
}

@Resolver(() => User)
export class TokensOfUserResolver {
  @Allow("admin")
  @FieldResolver(() => [PersonalAccessToken], { description: "As `personalAccessTokens`, of this user." })
  async personalAccessTokens(@Root() user: User, @Ctx() context: Context): Promise<PersonalAccessToken[]> {
    return listTokensOf(context, user.id);
  }
}
