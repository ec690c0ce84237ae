import { MemberType } from "#schema/user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { isAdminNetwork } from "#api/platform/http/networks.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { recordSecurityEvent, reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailNewDeviceSignIn, rememberDevice } from "./known-device.ts";
import { ACCESS_TOKEN_SECONDS, signAccessToken } from "./access-token.ts";
import { RefreshToken, Session } from "./session.entity.ts";
import type { SessionTokens } from "./refresh-cookie.ts";

/** Lifetimes of an unused refresh token and of a session (docs/domain.md#tokens). */
export const REFRESH_IDLE_MS = 14 * DAY;
export const SESSION_ABSOLUTE_MS = 30 * DAY;

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
  em.create(RefreshToken, {
    session,
    tokenHash: hashSecret(refreshToken),
    createdAt: now,
    expiresAt: addMilliseconds(now, REFRESH_IDLE_MS),
  });
  return {
    accessToken: signAccessToken(context, user, session.id),
    refreshToken,
    expiresIn: ACCESS_TOKEN_SECONDS,
  };
}
