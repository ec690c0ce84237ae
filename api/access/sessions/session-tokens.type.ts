import { type Static, Type } from "typebox";
import { Field, Int, ObjectType } from "type-graphql";
import { named, textOf } from "#api/platform/json-shapes.ts";

/** What a browser or program keeps of a session. */
@ObjectType({ description: "What a browser or program keeps of a session." })
export class SessionTokens {
  @Field(() => String, { description: "ES256 JWT for `Authorization: Bearer`." })
  accessToken!: string;

  @Field(() => String, { description: "Exchanged for new tokens once; replaced at each use." })
  refreshToken!: string;

  @Field(() => Int, { description: "Seconds until the access token expires." })
  expiresIn!: number;
}

/** Tokens in `/v1` answers. */
export const sessionTokensShape = named("SessionTokens", {
  access_token: textOf("ES256 JWT for `Authorization: Bearer`"),
  refresh_token: textOf("Exchanged for new tokens once"),
  expires_in: Type.Integer({ description: "Seconds until the access token expires" }),
});

/** Returns the tokens under the wire names of `/v1`. */
export function sessionTokensJson(tokens: SessionTokens): Static<typeof sessionTokensShape> {
  return { access_token: tokens.accessToken, refresh_token: tokens.refreshToken, expires_in: tokens.expiresIn };
}
