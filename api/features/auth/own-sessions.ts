import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { endOtherSessions } from "./end-session.ts";
import { Session } from "./session.entity.ts";

/** More than a person can tell apart; the newest are shown. */
const MOST_LISTED = 100;

/**
 * The live sessions of a user, to themselves and to admins: the caller's own first, then by their last use. Views of the
 * portal as this user are not among them.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listSessionsOf(context: Context, userId: string): Promise<Session[]> {
  const { userId: callerId, sessionId, role } = actorOf(context);
  if (userId !== callerId && role !== "admin") throw new AppError("FORBIDDEN");
  const sessions = await context.em.find(
    Session,
    { user: userId, viewer: null, endedAt: null, expiresAt: { $gt: context.clock.now() } },
    { orderBy: { lastUsedAt: "desc", id: "desc" }, limit: MOST_LISTED },
  );
  return [
    ...sessions.filter((session) => session.id === sessionId),
    ...sessions.filter((session) => session.id !== sessionId),
  ];
}

/**
 * Ends one of the caller's live sessions; its access token stops working with the next request.
 * @throws AppError NOT_FOUND, alike for foreign, ended, unknown and malformed ids.
 */
export async function endOwnSession(context: Context, id: string): Promise<void> {
  const { userId } = actorOf(context);
  const now = context.clock.now();
  const ended = isUuid(id)
    ? await context.em.nativeUpdate(
        Session,
        { id, user: userId, viewer: null, endedAt: null, expiresAt: { $gt: now } },
        { endedAt: now },
      )
    : 0;
  if (ended === 0) throw notFound();
}

/**
 * Ends all of the caller's sessions but this one.
 * @returns how many.
 */
export async function endAllButThisSession(context: Context): Promise<number> {
  const { userId, sessionId } = sessionOf(context);
  return endOtherSessions(context, context.em, userId, sessionId);
}

function actorOf(context: Context) {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  return context.actor;
}
