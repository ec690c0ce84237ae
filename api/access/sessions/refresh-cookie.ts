import { SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { readAccessToken } from "./access-token.ts";
import { REFRESH_IDLE_MS } from "./open-session.ts";
import { RefreshToken } from "./session.entity.ts";
import { type Static, Type } from "typebox";
import { createType, field } from "#api/platform/graphql/declare.ts";
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

const COOKIE = "refresh-token";

/** Prefix of the marker that the portal receives instead of a refresh token. */
const MARKER_PREFIX = "cookie.";

/**
 * Puts the refresh token into a cookie if the portal requested that, so that scripts can't read it, and returns a marker in
 * its place. The marker contains the token's hash. It is useless without the cookie, and the cookie without the marker,
 * which the portal deletes at sign-out even without a connection (decision 0006). A caller who is signed in as another user
 * keeps their own cookie.
 */
export function deliverTokens(context: Context, tokens: SessionTokens): SessionTokens {
  const { cookies } = context.origin;
  if (!cookies?.wantsRefreshCookie) return tokens;
  if (context.actor && context.actor.userId !== readAccessToken(context, tokens.accessToken)?.id) return tokens;
  cookies.send(COOKIE, tokens.refreshToken, REFRESH_IDLE_MS / SECOND);
  const { accessToken, expiresIn } = tokens;
  return { accessToken, expiresIn, refreshToken: MARKER_PREFIX + hashSecret(tokens.refreshToken) };
}

/**
 * Returns the refresh token that a client sent, which for a marker is the one in the cookie. Returns null if the marker and
 * the cookie belong to different sessions. Another tab may have replaced the cookie, so the tokens may differ.
 */
export async function readRefreshToken(context: Context, sent: string): Promise<string | null> {
  if (!sent.startsWith(MARKER_PREFIX)) return sent;
  const { cookies } = context.origin;
  const token = cookies?.wantsRefreshCookie ? cookies.read(COOKIE) : "";
  if (!token) return null;
  const hashes = [sent.slice(MARKER_PREFIX.length), hashSecret(token)];
  const found = await context.em.fork().find(RefreshToken, { tokenHash: { $in: hashes } });
  const sessions = new Set(found.map(({ session }) => session.id));
  return found.length === new Set(hashes).size && sessions.size === 1 ? token : null;
}

/** Deletes the cookie of the portal at sign-out. */
export function deleteRefreshCookie({ origin: { cookies } }: Context): void {
  if (cookies?.wantsRefreshCookie) cookies.send(COOKIE, "", 0);
}
