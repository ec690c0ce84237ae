import { hasStaffRole, type StaffRole } from "#schema/staff-roles.ts";
import type { Actor } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

const message = "Your staff role doesn't include this. An owner can change your roles.";

/** Returns whether an admin is an owner, who may do everything (decision 0059). */
export function isOwner({ staffRoles = [] }: Pick<Actor, "staffRoles">): boolean {
  return hasStaffRole(staffRoles, "owner");
}

/**
 * Checks that an admin has one of the roles or is an owner. Other callers and internal work without a caller pass.
 * @throws AppError FORBIDDEN
 */
export function requireStaffRole(roles: readonly StaffRole[] | "all", actor: Actor | null): void {
  if (actor?.role === "admin" && !hasAnyRole(actor, roles)) throw new AppError("FORBIDDEN", { message });
}

/** Returns whether an admin has one of the roles or is an owner. */
export function hasAnyRole(actor: Pick<Actor, "staffRoles">, roles: readonly StaffRole[] | "all"): boolean {
  return roles === "all" || isOwner(actor) || roles.some((role) => actor.staffRoles?.includes(role));
}
