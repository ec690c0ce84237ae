import { MemberType } from "#schema/user.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import type { Actor, Services } from "#api/platform/context.ts";
import { addToBatch, type BatchRow, type BatchStatement } from "#api/platform/database/statement-batches.ts";
import { findLiveToken, isPersonalAccessToken } from "#api/access/personal-access-tokens/authenticate-token.ts";
import { isActiveStaffSql } from "#api/people/users/last-admin.ts";
import { isAdminNetwork } from "#api/platform/http/networks.ts";
import { readAccessToken, roleByMemberType } from "./access-token.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";

/** Lifetime of a proof of identity in seconds (decision 0059). */
export const PROOF_SECONDS = 600;

// Looks up the sessions of concurrent requests in one statement, because a separate round trip would double the cost of
// a small request.
const liveSessions: BatchStatement = {
  name: "live-sessions",
  // A view as a customer ends when the admin's own session ends, or when the admin is archived or loses the role for it.
  text: `select asked.n, u.member_type as "memberType", u.staff_roles as "staffRoles",
                u.two_step_since is not null as "twoStep",
                coalesce(s.proved_at > asked.at - make_interval(secs => ${PROOF_SECONDS}), false) as "isProved",
                s.viewer_id as "viewerId", v.two_step_since is not null as "viewerTwoStep"
           from sessions s join users u on u.id = s.user_id
           join jsonb_to_recordset($1::jsonb) as asked (n int, session_id uuid, user_id uuid, at timestamptz)
             on s.id = asked.session_id and s.user_id = asked.user_id
           left join sessions vs on vs.id = s.viewer_session_id
           left join users v on v.id = s.viewer_id
          where s.ended_at is null and s.expires_at > asked.at and u.archived_at is null
            and (s.viewer_id is null
                 or (u.member_type <> ${MemberType.Admin} and ${isActiveStaffSql("v", "support")}
                     and vs.user_id = v.id and vs.ended_at is null and vs.expires_at > asked.at))`,
};

interface SessionLookup extends BatchRow {
  readonly session_id: string;
  readonly user_id: string;
  readonly at: string;
}

interface LiveSession {
  readonly n: number;
  readonly memberType: MemberType;
  readonly staffRoles: readonly StaffRole[];
  readonly twoStep: boolean;
  readonly isProved: boolean;
  readonly viewerId: string | null;
  readonly viewerTwoStep: boolean;
}

export interface Credentials {
  readonly authorization: string | undefined;
  /** IP address, recorded when a personal access token is used. */
  readonly ip: string;
}

/**
 * Returns the caller of a request, or null for a visitor. Reads the session or personal access token and the role from
 * the database for every request, so archiving, demoting, revoking and ending a session take effect on the next
 * request. Admins outside ADMIN_NETWORKS count as visitors.
 */
export async function authenticate(services: Services, credentials: Credentials): Promise<Actor | null> {
  const bearer = /^Bearer ([\w.-]+)$/i.exec(credentials.authorization ?? "")?.[1];
  if (!bearer) return null;
  return isPersonalAccessToken(bearer)
    ? authenticateToken(services, bearer, credentials.ip)
    : authenticateSession(services, bearer, credentials.ip);
}

async function authenticateToken(services: Services, text: string, ip: string): Promise<Actor | null> {
  const found = await findLiveToken(services, text, ip);
  if (!found) return null;
  const { id, userId, role, staffRoles, scopes, isRefusedHere, twoStep } = found;
  if (role === "admin" && !isAdminNetwork(services.config, ip)) return null;
  const isRestricted = role === "admin" && (await mustSetUpTwoStep(services, { userId, twoStep }));
  return {
    userId,
    sessionId: null,
    role,
    staffRoles,
    token: { id, scopes, isRefusedHere },
    mustSetUpTwoStep: isRestricted,
  };
}

async function authenticateSession(services: Services, bearer: string, ip: string): Promise<Actor | null> {
  const token = /^[\w-]+\.[\w-]+\.[\w-]+$/.exec(bearer)?.[0];
  if (!token) return null;
  const claims = readAccessToken(services, token);
  if (!claims) return null;
  const row = await addToBatch<LiveSession, SessionLookup>(services.pool, liveSessions, {
    session_id: claims.sid,
    user_id: claims.id,
    at: services.clock.now().toISOString(),
  });
  if (!row) return null;
  const role = roleByMemberType[row.memberType];
  const { id: userId, sid: sessionId } = claims;
  const { viewerId, staffRoles } = row;
  if ((role === "admin" || viewerId !== null) && !isAdminNetwork(services.config, ip)) return null;
  const isRestricted = role === "admin" && (await mustSetUpTwoStep(services, { userId, twoStep: row.twoStep }));
  const hasRecentProof = row.isProved && viewerId === null;
  const actor: Actor = { userId, sessionId, role, staffRoles, mustSetUpTwoStep: isRestricted, hasRecentProof };
  if (viewerId === null) return actor;
  const isViewerRestricted = await mustSetUpTwoStep(services, { userId: viewerId, twoStep: row.viewerTwoStep });
  return isViewerRestricted ? null : { ...actor, viewerId };
}

/**
 * Returns whether an admin must set up two-step sign-in, or add a passkey, before anything else. The first admin of an installation may
 * work for some days without it (`firstAdminGraceDays`), because they have to set up the product first.
 */
async function mustSetUpTwoStep(
  services: Pick<Services, "pool" | "clock" | "config">,
  { userId, twoStep }: { readonly userId: string; readonly twoStep: boolean },
): Promise<boolean> {
  const { adminTwoStepRequired, adminPasskeyRequired, firstAdminGraceDays } = services.config;
  if (!adminTwoStepRequired || (twoStep && !adminPasskeyRequired)) return false;
  if (twoStep) {
    const { rowCount } = await services.pool.query("select from passkeys where user_id = $1 limit 1", [userId]);
    return rowCount === 0;
  }
  if (firstAdminGraceDays === 0) return true;
  const since = addMilliseconds(services.clock.now(), -firstAdminGraceDays * DAY);
  const { rowCount } = await services.pool.query(
    `select from users u
      where u.id = $1 and u.registered_at > $2
        and not exists (select from users a where a.member_type = ${MemberType.Admin} and (a.registered_at, a.id) < (u.registered_at, u.id))`,
    [userId, since],
  );
  return rowCount === 0;
}
