import { createType, field } from "#api/platform/graphql/declare.ts";
import { MemberType } from "#schema/user.ts";
import type { SecurityEventDetails } from "#schema/security-event.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import { type Context, createContext } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { conflict } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { lockUserAgainstDeletion, User } from "#api/people/users/user.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { signAccessToken } from "./access-token.ts";
import { Session } from "./session.entity.ts";

/** Lifetime of a view as a customer, in milliseconds. After that, the admin has to start another one. */
const VIEW_MS = 15 * MINUTE;

export const CustomerView = createType(
  "CustomerView",
  "admin",
  "A read-only view of the portal as a customer. It can't be refreshed.",
  {
    accessToken: field.text(
      "The customer's access token with the claim `viewer`, an ES256 JWT to send as `Authorization: Bearer`.",
    ),
    expiresIn: field.integer("The number of seconds until the view ends."),
  },
);
export type CustomerView = InstanceType<typeof CustomerView>;

/**
 * Opens a view of the portal as a customer for the calling admin (decision 0035). Returns an access token, valid for 15
 * minutes, for a read-only session of the customer. The view ends with the admin's own session and is recorded only in
 * the audit log.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND for unknown and malformed ids alike; CONFLICT for admins and for archived
 * or deleted accounts.
 */
export async function viewAsCustomer(context: Context, userId: string): Promise<CustomerView> {
  const { clock, origin } = context;
  const actor = requireSession(context);
  return inTransaction(context, async (em) => {
    // Without this lock, the audit entry could retain the name of a customer whose account has just been deleted.
    await lockUserAgainstDeletion(em, userId);
    const customer = await em.findOneOrFail(User, userId);
    if (customer.memberType === MemberType.Admin || customer.archivedAt)
      throw conflict("You can view the portal only as a customer with an active account.");
    const now = clock.now();
    const session = em.create(Session, {
      user: customer,
      viewer: em.getReference(User, actor.userId),
      viewerSession: em.getReference(Session, actor.sessionId),
      clientId: "portal",
      userAgent: origin.userAgent.slice(0, 255),
      ip: origin.ip,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: addMilliseconds(now, VIEW_MS),
    });
    await recordView(context, em, "view-as-customer", {
      sessionId: session.id,
      customer,
      after: { until: session.expiresAt.toISOString() },
    });
    await recordSecurityEvent(context, em, {
      type: "view-as.started",
      userId: customer.id,
      actorId: actor.userId,
      detail: { sessionId: session.id, until: session.expiresAt.toISOString() },
    });
    const expiresIn = VIEW_MS / 1_000;
    const view = { viewerId: actor.userId, seconds: expiresIn };
    return { accessToken: signAccessToken(context, customer, session.id, view), expiresIn };
  });
}

/** Ends the caller's view. Its token stops working on the next request. */
export async function endView(context: Context): Promise<void> {
  const { clock } = context;
  const { sessionId, userId } = requireSession(context);
  await inTransaction(context, async (em) => {
    const ended = await em.nativeUpdate(Session, { id: sessionId, endedAt: null }, { endedAt: clock.now() });
    if (ended === 0) return;
    const customer = await em.findOneOrFail(User, userId);
    await recordView(context, em, "end-view", { sessionId, customer, after: { ended: "By the admin" } });
    await recordViewEnd(context, em, sessionId, "by-admin");
  });
}

/** Records in the audit log the end of views that ran out of time or ended with the admin's own session. */
export const recordEndedViews = defineDestructiveSweep({
  name: "note-ended-views",
  everySeconds: 60,
  async run(system, now) {
    return inTransaction(system, async (em) => {
      const ended = await query<{ id: string; user_id: string; viewer_id: string; ended: string }>(
        em,
        `update sessions s set ended_at = least(s.expires_at, $1)
           from sessions vs
          where vs.id = s.viewer_session_id and s.viewer_id is not null and s.ended_at is null
            and (s.expires_at <= $1 or vs.ended_at is not null or vs.expires_at <= $1)
         returning s.id, s.user_id, s.viewer_id,
                   case when s.expires_at <= $1 then 'By time' else 'With the admin''s own session' end as ended`,
        [now],
      );
      for (const { id, user_id: userId, viewer_id: viewerId, ended: why } of ended) {
        const context = createContext(system, { actor: { userId, sessionId: id, role: "regular", viewerId } });
        const customer = await em.findOneOrFail(User, userId);
        await recordView(context, em, "end-view", { sessionId: id, customer, after: { ended: why } });
        await recordViewEnd(context, em, id, why === "By time" ? "by-time" : "with-session");
      }
      return ended.length;
    });
  },
});

function recordViewEnd(
  context: Context,
  em: EntityManager,
  sessionId: string,
  reason: SecurityEventDetails["view-as.ended"]["reason"],
): Promise<void> {
  const { userId = null, viewerId: actorId = null } = context.actor ?? {};
  return recordSecurityEvent(context, em, { type: "view-as.ended", userId, actorId, detail: { sessionId, reason } });
}

function recordView(
  context: Context,
  em: EntityManager,
  action: "view-as-customer" | "end-view",
  { sessionId, customer, after: values }: { sessionId: string; customer: User; after: Record<string, string> },
): Promise<void> {
  return recordChange(context, em, {
    action,
    subject: { type: "session", id: sessionId, name: `${customer.firstName} ${customer.lastName}` },
    userId: customer.id,
    after: values,
  });
}
