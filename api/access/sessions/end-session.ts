import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { RefreshToken } from "./refresh-token.entity.ts";
import { Session } from "./session.entity.ts";

/** Ends the caller's session; its access token stops working with the next request. */
export async function endSession(context: Context, sessionId: string): Promise<void> {
  await context.em.nativeUpdate(Session, { id: sessionId, endedAt: null }, { endedAt: context.clock.now() });
}

/**
 * Ends all live sessions of a user but the one named, in the transaction of `em`; they are out with their next request.
 * What admins view as this user is nobody's session and goes on until its own end.
 * @returns how many.
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

/** Ends the session of a refresh token; an unknown token is no error (RFC 7009 §2.2). */
export async function revokeRefreshToken(context: Context, refreshToken: string): Promise<void> {
  const token = await context.em.findOne(RefreshToken, { tokenHash: hashSecret(refreshToken) });
  if (token) await endSession(context, token.session.id);
}
