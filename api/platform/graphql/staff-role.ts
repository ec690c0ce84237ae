import { hasStaffRole, type StaffRole } from "#schema/staff-roles.ts";
import { MemberType } from "#schema/user.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { requireSafeguards } from "./harm.ts";

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
  if (lacksStaffRole(actor, roles)) throw new AppError("FORBIDDEN", { message });
}

/** Returns whether {@link requireStaffRole} refuses the caller: an admin without any of the roles. */
export function lacksStaffRole(actor: Actor | null, roles: readonly StaffRole[] | "all"): boolean {
  return actor?.role === "admin" && !hasAnyRole(actor, roles);
}

/** Returns whether an admin has one of the roles or is an owner. */
export function hasAnyRole(actor: Pick<Actor, "staffRoles">, roles: readonly StaffRole[] | "all"): boolean {
  return roles === "all" || isOwner(actor) || roles.some((role) => actor.staffRoles?.includes(role));
}

/**
 * Checks a caller who creates, changes or closes an admin account, that is, if one of the member types is admin. The
 * caller must be an owner and needs a session with a recent proof of identity (decision 0059). A personal access token
 * could otherwise gain every right that tokens don't have (decision 0050).
 * @throws AppError FORBIDDEN, for tokens with the reason SESSION_ONLY; STEP_UP_REQUIRED.
 */
export function authorizeAdminChange(context: Pick<Context, "actor">, ...types: readonly number[]): void {
  if (types.includes(MemberType.Admin)) authorizeOwner(context);
}

/**
 * Checks a caller who changes the access of another account, such as its sessions or tokens: owners may for every
 * account.
 * @throws AppError FORBIDDEN, for tokens with the reason SESSION_ONLY; STEP_UP_REQUIRED.
 */
export function authorizeOwner({ actor }: Pick<Context, "actor">): void {
  requireStaffRole([], actor);
  requireSafeguards("access", actor);
}
