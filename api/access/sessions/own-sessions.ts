import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "./session.entity.ts";
import { signOutEverywhere } from "./sign-out-everywhere.ts";

/** Maximum number of sessions listed: those used most recently. */
const MAX_LISTED = 100;

/**
 * Returns the live sessions of a user to that user and to admins. The caller's current session comes first, the others
 * by last use. Leaves out views of the portal as this user. Lookups for several users share one query.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listUserSessions(context: Context, userId: string): Promise<Session[]> {
  const { userId: callerId, sessionId, role } = requireActor(context);
  if (userId !== callerId && role !== "admin") throw new AppError("FORBIDDEN");
  const sessions = await loadSessions(context, userId);
  return [
    ...sessions.filter((session) => session.id === sessionId),
    ...sessions.filter((session) => session.id !== sessionId),
  ];
}

const loadSessions = createLoader(async ({ em, clock }: Context, userIds: readonly string[]): Promise<Session[][]> => {
  const found = await query<{ id: string }>(
    em,
    `select s.id from unnest($1::uuid[]) as o (id)
      cross join lateral (
        select id from sessions
         where user_id = o.id and viewer_id is null and ended_at is null and expires_at > $2::timestamptz
         order by last_used_at desc, id desc limit ${MAX_LISTED}
      ) s`,
    [[...userIds], clock.now()],
  );
  const order = { orderBy: { lastUsedAt: "desc", id: "desc" } } as const;
  const rows = found.length > 0 ? await em.find(Session, { id: { $in: found.map(({ id }) => id) } }, order) : [];
  return userIds.map((id) => rows.filter(({ user }) => user.id === id));
});

/**
 * Ends one of the caller's live sessions. Its access token stops working on the next request.
 * @throws AppError NOT_FOUND for another user's, ended, unknown and malformed ids alike.
 */
export async function endOwnSession(context: Context, id: string): Promise<void> {
  const { userId } = requireActor(context);
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
 * Signs the caller out everywhere except in the current session, as {@link signOutEverywhere} describes.
 * @returns the number of sessions ended.
 */
export async function endOwnOtherSessions(context: Context): Promise<number> {
  const { userId, sessionId } = requireSession(context);
  return inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    return (await signOutEverywhere(context, em, user, sessionId)).sessionsEnded;
  });
}

function requireActor(context: Context) {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  return context.actor;
}
