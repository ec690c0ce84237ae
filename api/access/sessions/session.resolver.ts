import { inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import { Allow, createType, DeletedObject, field, Scope, toDeletedObject } from "#api/platform/graphql/declare.ts";
import { type Context, getCallerId, requireActor } from "#api/platform/context.ts";
import { calculateRowsCost } from "#api/platform/graphql/page.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { describeDevice } from "./user-agent.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { isUuid } from "#api/platform/validate.ts";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { addMilliseconds } from "#api/platform/clock.ts";
import { signOutEverywhere } from "./end-session.ts";
import { REFRESH_IDLE_MS } from "./open-session.ts";
import { viewAsCustomer, CustomerView } from "./view-as-customer.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { Session } from "./session.entity.ts";

export const UserSession = createType("UserSession", "signedIn", "A sign-in on one browser or program.", {
  id: field.id("Unique ID."),
  browser: field.text("The browser and operating system, such as 'Chrome on Windows'."),
  ip: field.text("The IP address of the sign-in."),
  signedInAt: field.moment("When the user signed in, in UTC."),
  lastUsedAt: field.moment("When the session was last used, in UTC."),
  isCurrent: field.flag("Whether this is the caller's current session."),
});
export type UserSession = InstanceType<typeof UserSession>;

export const EndedSessions = createType("EndedSessions", "signedIn", "A user whose sessions were ended.", {
  count: field.integer("Number of sessions ended."),
  user: field.object(() => User, "The user, whose tokens and pending changes of the email address are gone, too.", {
    access: Scope("session"),
  }),
});
export type EndedSessions = InstanceType<typeof EndedSessions>;

/** Number of sessions per user assumed when estimating the cost of an operation. */
const ASSUMED_SESSIONS = 10;

@Resolver(() => User)
export class SessionResolver {
  @Allow("signedIn", { roles: ["support"], scope: "session" })
  @FieldResolver(() => [UserSession], {
    description: "The user's active sessions. Available to the user and to support.",
    complexity: ({ childComplexity }) => calculateRowsCost(ASSUMED_SESSIONS, 1 + childComplexity),
  })
  async sessions(@Root() user: User, @Ctx() context: Context): Promise<UserSession[]> {
    const sessions = await listUserSessions(context, user.id);
    return sessions.map(({ id, userAgent, ip, createdAt, lastUsedAt }) => ({
      id,
      browser: describeDevice(userAgent),
      ip,
      signedInAt: createdAt,
      lastUsedAt,
      isCurrent: id === context.actor?.sessionId,
    }));
  }

  @Allow("signedIn", { scope: "session" })
  @Mutation(() => DeletedObject, { description: "Ends one of the caller's sessions." })
  async endSession(
    @Arg("id", () => ID, { description: "The session." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await endOwnSession(context, id);
    return toDeletedObject(id);
  }

  @Allow("signedIn", { scope: "session" })
  @Mutation(() => EndedSessions, {
    description:
      "Signs the caller out everywhere except in the current session. Also revokes personal access tokens and cancels a pending email change and reset links.",
  })
  async endOtherSessions(@Ctx() context: Context): Promise<EndedSessions> {
    const count = await endOwnOtherSessions(context);
    return { count, user: await getUser(context, getCallerId(context)) };
  }

  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => EndedSessions, {
    description:
      "Signs a user out everywhere. Also revokes personal access tokens and cancels a pending email change and reset links.",
  })
  async endSessionsOf(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<EndedSessions> {
    const count = await endUserSessions(context, userId);
    return { count, user: await getUser(context, userId) };
  }
}

/**
 * Signs a user out everywhere on behalf of an admin, as {@link signOutEverywhere} describes. If admins sign themselves out,
 * their current session continues.
 * @returns the number of sessions ended.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the user is another admin and the caller isn't an owner; NOT_FOUND for
 * unknown and malformed ids alike; CONFLICT if the owner deleted the
 * account, because the audit log must not record their name again.
 */
async function endUserSessions(context: Context, userId: string): Promise<number> {
  const actor = requireActor(context);
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId, { refresh: true });
    if (user.id !== actor.userId) authorizeAdminChange(context, user.memberType);
    if (user.deletedAt) throw conflict("This account was deleted.");
    const { sessionsEnded, tokensRevoked, linksCancelled } = await signOutEverywhere(
      context,
      em,
      user,
      actor.sessionId,
    );
    if (sessionsEnded > 0 || tokensRevoked > 0 || linksCancelled)
      await recordChange(context, em, {
        action: "end-sessions",
        ...aboutUser(user),
        after: {
          sessionsEnded,
          ...(tokensRevoked > 0 ? { tokensRevoked } : {}),
          ...(linksCancelled ? { linksCancelled } : {}),
        },
      });
    return sessionsEnded;
  });
}

@Resolver()
export class ViewAsCustomerResolver {
  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => CustomerView, { description: "Starts a read-only view of the portal as a customer, for 15 minutes." })
  async viewAsCustomer(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<CustomerView> {
    return viewAsCustomer(context, userId);
  }
}

/** Maximum number of sessions listed: those used most recently. */
const MAX_LISTED = 100;

/**
 * Returns the live sessions of a user to that user and to admins. The caller's current session comes first, the others
 * by last use. Leaves out views of the portal as this user. Lookups for several users share one query.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
async function listUserSessions(context: Context, userId: string): Promise<Session[]> {
  const { userId: callerId, sessionId, role } = requireActor(context);
  if (userId !== callerId && role !== "admin") throw new AppError("FORBIDDEN");
  const sessions = await loadSessions(context, userId);
  return [
    ...sessions.filter((session) => session.id === sessionId),
    ...sessions.filter((session) => session.id !== sessionId),
  ];
}

const loadSessions = createLoader(async ({ em, clock }: Context, userIds: readonly string[]): Promise<Session[][]> => {
  const now = clock.now();
  // A session that wasn't used for this long can't be refreshed.
  const usedSince = addMilliseconds(now, -REFRESH_IDLE_MS);
  const found = await query<{ id: string }>(
    em,
    `select s.id from unnest($1::uuid[]) as o (id)
      cross join lateral (
        select id from sessions
         where user_id = o.id and viewer_id is null and ended_at is null and expires_at > $2::timestamptz
           and last_used_at > $3::timestamptz
         order by last_used_at desc, id desc limit ${MAX_LISTED}
      ) s`,
    [[...userIds], now, usedSince],
  );
  const order = { orderBy: { lastUsedAt: "desc", id: "desc" } } as const;
  const rows = found.length > 0 ? await em.find(Session, { id: { $in: found.map(({ id }) => id) } }, order) : [];
  return userIds.map((id) => rows.filter(({ user }) => user.id === id));
});

/**
 * Ends one of the caller's live sessions. Its access token stops working on the next request.
 * @throws AppError NOT_FOUND for another user's, ended, unknown and malformed ids alike.
 */
async function endOwnSession(context: Context, id: string): Promise<void> {
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
async function endOwnOtherSessions(context: Context): Promise<number> {
  const { userId, sessionId } = requireSession(context);
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId, { refresh: true });
    return (await signOutEverywhere(context, em, user, sessionId)).sessionsEnded;
  });
}
