import { MemberType } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import { requireSafeguards } from "#api/platform/graphql/harm.ts";

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
