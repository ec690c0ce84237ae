import { MemberType } from "#schema/user.ts";
import { addMilliseconds, DAY, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { isAdminNetwork } from "#api/platform/http/networks.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { recordSecurityEvent, reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailNewDeviceSignIn, rememberDevice } from "./known-device.ts";
import { ACCESS_TOKEN_SECONDS, readAccessToken, signAccessToken } from "./access-token.ts";
import { RefreshToken, Session } from "./session.entity.ts";
import { type Static, Type } from "typebox";
import { createType, field } from "#api/platform/graphql/declare.ts";
import { describedText, namedObject } from "#api/platform/http/define-route.ts";

/** Lifetimes of an unused refresh token and of a session, in milliseconds (docs/domain.md#tokens). */
export const REFRESH_IDLE_MS = 14 * DAY;
const SESSION_ABSOLUTE_MS = 30 * DAY;

/** First-party clients that can sign in with a password. */
export const clientIds = ["portal", "addin"] as const;
export type ClientId = (typeof clientIds)[number];

/**
 * Opens a session for an authenticated user, in the transaction of `em`. Emails the user if the device is
 * new, and marks their browser as known.
 * @throws AppError FORBIDDEN for an admin outside ADMIN_NETWORKS
 */
export async function openSession(
  context: Context,
  em: EntityManager,
  user: User,
  clientId: ClientId,
): Promise<SessionTokens> {
  if (user.memberType === MemberType.Admin && !isAdminNetwork(context.config, context.origin.ip)) {
    reportSecurityEvent(context, {
      type: "sign-in.failed",
      userId: user.id,
      detail: { client: clientId, reason: "wrong-network" },
    });
    throw new AppError("FORBIDDEN", { message: "Staff can't sign in from this network." });
  }
  await emailNewDeviceSignIn(context, em, user);
  // Programs have no cookies.
  if (clientId === "portal") await rememberDevice(context, em, user);
  const now = context.clock.now();
  const session = em.create(Session, {
    user,
    clientId,
    userAgent: context.origin.userAgent.slice(0, 255),
    ip: context.origin.ip,
    createdAt: now,
    lastUsedAt: now,
    provedAt: now,
    expiresAt: addMilliseconds(now, SESSION_ABSOLUTE_MS),
  });
  await recordSecurityEvent(context, em, {
    type: "sign-in.succeeded",
    userId: user.id,
    detail: { client: clientId, twoStep: Boolean(user.twoStepSince) },
  });
  const refreshToken = generateSecret();
  addRefreshToken(em, session, refreshToken, now);
  return buildTokens(context, session, refreshToken);
}

/** Adds a refresh token to a session, in the transaction of `em`. */
export function addRefreshToken(em: EntityManager, session: Session, token: string, createdAt: Date): void {
  const expiresAt = addMilliseconds(createdAt, REFRESH_IDLE_MS);
  em.create(RefreshToken, { session, tokenHash: hashSecret(token), createdAt, expiresAt });
}

/** Returns a refresh token of a session with a new access token. */
export function buildTokens(context: Context, { id, user }: Session, refreshToken: string): SessionTokens {
  return { accessToken: signAccessToken(context, user, id), refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
}

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
