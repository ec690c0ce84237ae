import { MemberType, memberTypes } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { hasStaffRole, type StaffRole, staffRoleNames, staffRoles } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { revokeUserTokens } from "#api/access/personal-access-tokens/tokens.ts";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { staffRolesChanged } from "#api/messaging/emails/templates/staff-roles-changed.tsx";
import { findOwners } from "#api/people/users/last-admin.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { withdrawReportLinks } from "#api/staff/saved-reports/report-files.ts";
import { turnOffEndpoints } from "#api/webhooks/endpoints/change-endpoint.ts";

/** The type and roles of a user before or after a change. Null before the account exists. */
type StaffStatus = Pick<User, "memberType" | "staffRoles"> | null;

/**
 * Returns the roles to store: none for customers, otherwise those sent, or `current` if none were sent.
 * @throws AppError BAD_USER_INPUT under `staffRoles` for a customer with roles.
 */
export function chooseStaffRoles(
  memberType: number,
  sent: readonly (StaffRole | undefined)[] | undefined,
  current: readonly StaffRole[] = [],
): StaffRole[] {
  if (memberType === MemberType.Admin) return [...((sent as readonly StaffRole[] | undefined) ?? current)];
  if (sent && sent.length > 0) throw badInput({ staffRoles: ["Only admins have roles."] });
  return [];
}

/** Returns whether a user with this type and these roles is an owner. */
export function isOwnerStatus(status: StaffStatus): boolean {
  return status?.memberType === MemberType.Admin && hasStaffRole(status.staffRoles, "owner");
}

/**
 * Records that a user's member type or staff roles changed as a security event, and emails the owners if an admin is
 * affected. Withdraws report files of an admin who lost a role, and revokes what a new admin had as a customer: admins have no
 * personal access tokens or webhook endpoints. Runs in the transaction of `em`.
 */
export async function reportRoleChange(
  context: Context,
  em: EntityManager,
  user: User,
  before: StaffStatus,
): Promise<void> {
  const [was, is] = [describeStatus(before), describeStatus(user)];
  if (was === is) return;
  await recordSecurityEvent(context, em, {
    type: "role.changed",
    userId: user.id,
    actorId: context.actor?.userId ?? null,
    detail: { before: was, after: is },
  });
  if (before?.memberType !== MemberType.Admin && user.memberType !== MemberType.Admin) return;
  await em.flush();
  const now = context.clock.now();
  if (before && before.memberType !== MemberType.Admin) {
    await revokeUserTokens(em, user.id, now);
    await turnOffEndpoints(em, user.id, now, "promotion");
  }
  const isAllowed = (status: StaffStatus, role: StaffRole) =>
    status?.memberType === MemberType.Admin && hasStaffRole(status.staffRoles, role);
  if (staffRoleNames.some((role) => isAllowed(before, role) && !isAllowed(user, role)))
    await withdrawReportLinks(em, user.id, now);
  const [by] = await query<{ name: string }>(
    em,
    "select first_name || ' ' || last_name || ' (' || email || ')' as name from users where id = $1",
    [context.actor?.userId ?? null],
  );
  for (const owner of await findOwners(em))
    await emailUser(context, em, owner, staffRolesChanged, {
      userId: user.id,
      name: `${user.firstName} ${user.lastName}`,
      email: user.email,
      was,
      is,
      by: by?.name ?? null,
      at: now,
    });
}

/** Describes a type with its roles, such as `Admin (Support)`. */
function describeStatus(status: StaffStatus): string {
  if (!status) return "None";
  const label = findLabel(memberTypes, status.memberType);
  const roles = status.memberType === MemberType.Admin ? status.staffRoles : [];
  return roles.length === 0 ? label : `${label} (${roles.map((role) => findLabel(staffRoles, role)).join(", ")})`;
}
