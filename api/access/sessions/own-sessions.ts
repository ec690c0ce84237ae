import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { createLoader } from "#api/platform/loaders.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { isUuid } from "#api/platform/validate.ts";
import { endOtherSessions } from "./end-session.ts";
import { Session } from "./session.entity.ts";

/** More than a person can tell apart; the newest are shown. */
const MOST_LISTED = 100;

/**
 * Returns the live sessions of a user, to themselves and to admins: the caller's current one first, then by last use.
 * Leaves out views of the portal as this user. Batched over users.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listSessionsOf(context: Context, userId: string): Promise<Session[]> {
  const { userId: callerId, sessionId, role } = actorOf(context);
  if (userId !== callerId && role !== "admin") throw new AppError("FORBIDDEN");
  const sessions = await sessionsOfUser(context, userId);
  return [
    ...sessions.filter((session) => session.id === sessionId),
    ...sessions.filter((session) => session.id !== sessionId),
  ];
}

const sessionsOfUser = createLoader(
  async ({ em, clock }: Context, userIds: readonly string[]): Promise<Session[][]> => {
    const found = await query<{ id: string }>(
      em,
      `select s.id from unnest($1::uuid[]) as o (id)
      cross join lateral (
        select id from sessions
         where user_id = o.id and viewer_id is null and ended_at is null and expires_at > $2::timestamptz
         order by last_used_at desc, id desc limit ${MOST_LISTED}
      ) s`,
      [[...userIds], clock.now()],
    );
    const order = { orderBy: { lastUsedAt: "desc", id: "desc" } } as const;
    const rows = found.length > 0 ? await em.find(Session, { id: { $in: found.map(({ id }) => id) } }, order) : [];
    return userIds.map((id) => rows.filter(({ user }) => user.id === id));
  },
);

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
