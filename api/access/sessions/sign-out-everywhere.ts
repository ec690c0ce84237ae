import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { revokeUserTokens } from "#api/access/personal-access-tokens/revoke-token.ts";
import { cancelEmailTokens } from "#api/access/registration/email-tokens.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-challenge.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { endOtherSessions } from "./end-session.ts";
import { rememberDevice } from "./known-device.ts";

/** Counts the sessions and tokens that ended when a user was signed out everywhere. */
export interface SignedOut {
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
