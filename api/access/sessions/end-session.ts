import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { RefreshToken } from "./refresh-token.entity.ts";
import { Session } from "./session.entity.ts";

/** Ends a session. Its access token stops working on the next request. */
export async function endSession(context: Context, sessionId: string): Promise<void> {
  await context.em.nativeUpdate(Session, { id: sessionId, endedAt: null }, { endedAt: context.clock.now() });
}

/**
 * Ends all live sessions of a user except `kept`, in the transaction of `em`. Their access tokens stop working on the
 * next request. Views of the portal as this user continue until they end on their own.
 * @returns the number of sessions ended.
 */
export async function endOtherSessions(
  context: Context,
  em: EntityManager,
  userId: string,
  kept: string | null,
): Promise<number> {
  const now = context.clock.now();
  const others = kept === null ? {} : { id: { $ne: kept } };
  return em.nativeUpdate(
    Session,
    { user: userId, viewer: null, endedAt: null, expiresAt: { $gt: now }, ...others },
    { endedAt: now },
  );
}

/** Ends the session that a refresh token belongs to. Ignores an unknown token (RFC 7009 §2.2). */
export async function revokeRefreshToken(context: Context, refreshToken: string): Promise<void> {
  const token = await context.em.findOne(RefreshToken, { tokenHash: hashSecret(refreshToken) });
  if (token) await endSession(context, token.session.id);
}
