import type { ReactNode } from "react";
import { hasStaffRole, type StaffRole } from "#schema/staff-roles.ts";
import { type Session, useSession } from "./session.ts";

/** Returns whether the user is an admin who may do what the role allows. For display only: the API checks it (decision 0059). */
export function isStaffWith(role: StaffRole, session: Session | null): boolean {
  return session?.claims.role === "admin" && hasStaffRole(session.claims.staffRoles, role);
}

/** {@link isStaffWith} as React state. */
export function useStaffRole(role: StaffRole): boolean {
  return isStaffWith(role, useSession());
}

/** Shows its content only to admins with the role. */
export function ForStaffRole({ role, children }: { role: StaffRole; children: ReactNode }) {
  return useStaffRole(role) && children;
}
