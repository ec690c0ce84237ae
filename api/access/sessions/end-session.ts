import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { RefreshToken, Session } from "./session.entity.ts";
import { revokeUserTokens } from "#api/access/personal-access-tokens/tokens.ts";
import { cancelEmailTokens } from "#api/access/registration/email-tokens.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-methods.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { rememberDevice } from "./known-device.ts";

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

/** Counts the sessions and tokens that ended when a user was signed out everywhere. */
interface SignedOut {
  readonly sessionsEnded: number;
  readonly tokensRevoked: number;
  /** Set if a pending email change or an unused reset link was cancelled. */
  readonly linksCancelled: boolean;
}

/**
 * Signs a user out everywhere except in the session `kept`: ends sessions and unfinished sign-ins, revokes personal access
 * tokens, cancels a pending email change and reset links, and makes the cookies of known devices invalid. The browser of the
 * kept session gets a new one. Runs in the transaction of `em`, which must have locked the
 * user's row for update.
 */
export async function signOutEverywhere(
  context: Context,
  em: EntityManager,
  user: User,
  kept: string | null,
): Promise<SignedOut> {
  const sessionsEnded = await endOtherSessions(context, em, user.id, kept);
  await em.nativeDelete(TwoStepChallenge, { user: user.id, purpose: "sign-in" });
  const tokensRevoked = await revokeUserTokens(em, user.id, context.clock.now());
  user.knownDeviceEpoch += 1;
  if (context.actor?.userId === user.id && kept !== null) await rememberDevice(context, em, user);
  const hadPendingEmail = user.pendingEmail !== null;
  user.pendingEmail = null;
  await cancelEmailTokens(context, em, user, "change-email");
  const cancelledResets = await cancelEmailTokens(context, em, user, "reset-password");
  return { sessionsEnded, tokensRevoked, linksCancelled: hadPendingEmail || cancelledResets > 0 };
}
