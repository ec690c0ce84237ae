import { type Static, Type } from "typebox";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { namedObject, describedText } from "#api/platform/http/define-route.ts";

/** Tokens of a session, kept by the client. */
export const SessionTokens = createType("SessionTokens", "everyone", "The tokens of a session.", {
  accessToken: field.text("The access token, an ES256 JWT to send as `Authorization: Bearer`."),
  refreshToken: field.text("The refresh token. It can be exchanged for new tokens once."),
  expiresIn: field.integer("The number of seconds until the access token expires."),
});
export type SessionTokens = InstanceType<typeof SessionTokens>;

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
