import { type Static, Type } from "typebox";
import { Field, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { namedObject, describedText } from "#api/platform/http/json-types.ts";

/** Tokens of a session, kept by the client. */
@VisibleTo("everyone")
@ObjectType({ description: "The tokens of a session." })
export class SessionTokens {
  @Field(() => String, { description: "The access token, an ES256 JWT to send as `Authorization: Bearer`." })
  accessToken!: string;

  @Field(() => String, { description: "The refresh token. It can be exchanged for new tokens once." })
  refreshToken!: string;

  @Field(() => Int, { description: "The number of seconds until the access token expires." })
  expiresIn!: number;
}

/** Tokens in `/v1` responses. */
export const sessionTokensShape = namedObject("SessionTokens", {
  access_token: describedText("The access token, an ES256 JWT to send as `Authorization: Bearer`"),
  refresh_token: describedText("The refresh token. It can be exchanged for new tokens once"),
  expires_in: Type.Integer({ description: "The number of seconds until the access token expires" }),
});

/** Returns the tokens with the field names of `/v1`. */
export function toSessionTokensJson(tokens: SessionTokens): Static<typeof sessionTokensShape> {
  return { access_token: tokens.accessToken, refresh_token: tokens.refreshToken, expires_in: tokens.expiresIn };
}
