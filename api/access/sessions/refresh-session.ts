import { LockMode } from "@mikro-orm/core";
import type { SecurityEventDetails } from "#schema/security-event.ts";
import { MemberType } from "#schema/user.ts";
import { getRealNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { isAdminNetwork } from "#api/platform/http/networks.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { hashSecret, hashWithKey } from "#api/platform/keys/secrets.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { addRefreshToken, buildTokens, type ClientId, type SessionTokens } from "./open-session.ts";
import { recordSecurityEvent, reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { RefreshToken, Session } from "./session.entity.ts";

/** Grace period in which two tabs may send the same token, in milliseconds of real time (docs/domain.md#tokens). */
const GRACE_MS = 10 * SECOND;

/**
 * Exchanges a refresh token for its only successor. The successor is derived from the token, so a repeat within the
 * grace period returns the same one. A later repeat indicates theft and ends the session.
 * @returns null if the token is unknown, expired or reused, belongs to another client, or if its session has ended.
 * @throws AppError RATE_LIMITED
 */
export async function refreshSession(
  context: Context,
  refreshToken: string,
  clientId: ClientId,
): Promise<SessionTokens | null> {
  await context.rateLimits.take("refresh", toRateLimitAddress(context.origin.ip));
  const now = context.clock.now();
  const refuse = (reason: SecurityEventDetails["refresh.refused"]["reason"], userId?: string): null => {
    reportSecurityEvent(context, { type: "refresh.refused", userId: userId ?? null, detail: { reason } });
    return null;
  };
  return inTransaction(context, async (em) => {
    const found = await em.findOne(RefreshToken, { tokenHash: hashSecret(refreshToken) });
    if (!found) return refuse("unknown");
    // The lock on the session's row serialises concurrent tabs, which could otherwise both see an unused token.
    const session = await em.findOne(Session, found.session.id, {
      populate: ["user"],
      lockMode: LockMode.PESSIMISTIC_WRITE,
      lockTableAliases: ["s0"],
    });
    if (
      !session ||
      session.clientId !== clientId ||
      session.endedAt ||
      session.expiresAt <= now ||
      session.user.archivedAt ||
      (session.user.memberType === MemberType.Admin && !isAdminNetwork(context.config, context.origin.ip))
    )
      return refuse("ended", session?.user.id);
    const token = await em.refresh(found);
    if (!token) return refuse("ended", session.user.id);

    // Needs a key of the server, so that someone who saw an earlier token can't compute its successors.
    const successors = context.keys.all.map((key) => hashWithKey(key, "refresh successors", refreshToken));
    let successor = successors[0] as string;
    if (token.rotatedAt) {
      if (getRealNow(context.clock).getTime() - token.rotatedAt.getTime() > GRACE_MS) {
        session.endedAt = now;
        await recordSecurityEvent(context, em, {
          type: "refresh.reused",
          userId: session.user.id,
          detail: { sessionId: session.id },
        });
        return null;
      }
      // The keys may have been rotated since the token was exchanged.
      const stored = await em.find(RefreshToken, { session, tokenHash: { $in: successors.map(hashSecret) } });
      const repeated = successors.find((one) => stored.some(({ tokenHash }) => tokenHash === hashSecret(one)));
      if (!repeated) return refuse("unknown", session.user.id);
      successor = repeated;
    } else {
      if (token.expiresAt <= now) return refuse("expired", session.user.id);
      token.rotatedAt = getRealNow(context.clock);
      session.lastUsedAt = now;
      addRefreshToken(em, session, successor, now);
    }
    return buildTokens(context, session, successor);
  });
}
