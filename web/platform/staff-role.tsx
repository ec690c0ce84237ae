import type { ReactNode } from "react";
import { hasStaffRole, type StaffRole } from "#schema/staff-roles.ts";
import type { MemberType } from "#web/generated/graphql.ts";
import { decodeToken, type Session, useSession } from "./session.ts";

/** Role that a part of the portal needs: one, one of several, or none. */
export type NeededRole = StaffRole | readonly StaffRole[] | undefined;

/**
 * Returns whether the portal offers what a staff role allows: to everyone but admins who lack the role. For display only,
 * because the API checks every request (decision 0059).
 */
export function offersRole(role: NeededRole, session: Session | null): boolean {
  if (session?.claims.role !== "admin" || role === undefined) return true;
  const owned = readStaffRoles(session);
  return [role].flat().some((one) => hasStaffRole(owned, one));
}

/** Returns the roles of an admin's session. */
export function readStaffRoles({ accessToken }: Session): readonly string[] {
  const { staff_roles: roles } = decodeToken(accessToken);
  return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [];
}

/** {@link offersRole} as React state. */
export function useStaffRole(role: NeededRole): boolean {
  return offersRole(role, useSession());
}

/** Returns whether the portal offers changes to the sessions, passwords and links of an account: for admins, only to owners. */
export function useCanChangeAccess(memberType: MemberType | undefined): boolean {
  return useStaffRole(memberType === "ADMIN" ? "owner" : "support");
}

/** Hides its content from admins without the role. */
export function ForStaffRole({ has, children }: { has: StaffRole; children: ReactNode }) {
  return useStaffRole(has) && children;
}
