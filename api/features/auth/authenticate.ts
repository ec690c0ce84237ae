import { MemberType } from "#schema/catalogue.ts";
import type { Actor, Services } from "#api/platform/context.ts";
import { readAccessToken, roleOfMemberType } from "./access-token.ts";

const liveSession = {
  name: "live-session",
  // A view of the portal as a customer lives as long as the admin's own session, their role and their account.
  text: `select u.member_type as "memberType", u.two_step_since is not null as "twoStep", s.viewer_id as "viewerId",
                v.two_step_since is not null as "viewerTwoStep"
           from sessions s join users u on u.id = s.user_id
           left join sessions vs on vs.id = s.viewer_session_id
           left join users v on v.id = s.viewer_id
          where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3 and u.archived_at is null
            and (s.viewer_id is null
                 or (u.member_type <> ${MemberType.Admin} and v.member_type = ${MemberType.Admin} and v.archived_at is null
                     and vs.user_id = v.id and vs.ended_at is null and vs.expires_at > $3))`,
};

/**
 * The caller of a request, or null for a visitor. The session and the role are read from the database
 * every time: archiving, demoting and ending a session take effect on the next request (DOMAIN §8.1).
 */
export async function authenticate(services: Services, authorization: string | undefined): Promise<Actor | null> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
  if (!token) return null;
  const claims = readAccessToken(services, token);
  if (!claims) return null;
  const { rows } = await services.pool.query<{
    memberType: MemberType;
    twoStep: boolean;
    viewerId: string | null;
    viewerTwoStep: boolean;
  }>({
    ...liveSession,
    values: [claims.sid, claims.id, services.clock.now()],
  });
  const row = rows[0];
  if (!row) return null;
  const role = roleOfMemberType[row.memberType];
  const { adminTwoStepRequired } = services.config;
  const mustSetUpTwoStep = role === "admin" && adminTwoStepRequired && !row.twoStep;
  const actor: Actor = { userId: claims.id, sessionId: claims.sid, role, mustSetUpTwoStep };
  if (row.viewerId === null) return actor;
  return adminTwoStepRequired && !row.viewerTwoStep ? null : { ...actor, viewerId: row.viewerId };
}
