import { VIEW_ONLY } from "#schema/error-codes.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { requireAudience, type Audience } from "./audience.ts";
import type { Actor } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { type Harm, requireSafeguards } from "./harm.ts";
import { requireStaffRole } from "./staff-role.ts";
import { requireScopes, type ScopeRule } from "./token-scopes.ts";

/** Roles that may use an operation, besides owners; `[]` means only owners, `all` every admin. */
export type AllowedRoles = readonly Exclude<StaffRole, "owner">[] | "all";

/**
 * The permission of one operation: a root field, a nested field or a route. `roles` applies to admins only, so an
 * operation for admins must have it.
 */
export type Permission =
  | ({ readonly audience: "admin" } & PermissionRules<"admin">)
  | ({ readonly audience: Exclude<Audience, "admin"> } & PermissionRules<Exclude<Audience, "admin">>);

/** The parts of a permission besides its audience. */
export type PermissionRules<Who extends Audience> = CommonRules &
  (Who extends "admin" ? { readonly roles: AllowedRoles } : { readonly roles?: AllowedRoles });

interface CommonRules {
  /** Scopes that a personal access token needs. Without any, the operation needs a session. */
  readonly scope?: ScopeRule;
  /**
   * Harm that the operation can do in the wrong hands, which decides recent proof and whether a token may (decision
   * 0070). Derived for reading and for what only customers or everyone may do (`api/app/permissions.ts`).
   */
  readonly harm?: Harm;
  /**
   * Set if the function of the operation checks for a recent proof, because that depends on the values or because the
   * operation takes the password.
   */
  readonly proof?: "conditional";
  /** Exceptions for admins viewing the portal as a customer, who by default may read but not change anything. */
  readonly viewers?: "allowed" | "refused";
}

/** The permission of a type's plain fields. */
export interface TypePermission {
  /** Audience of the plain fields, and the widest audience allowed for fields that lead to the type. */
  readonly audience: Audience;
  /** Operation with the scope that a token needs to read more than the ID of an object returned by a mutation. */
  readonly readThrough?: string;
}

/** All permissions of the product, by operation (`Query.users`, `User.contacts`, `POST /v1/licence/lease`) and by type. */
export interface PermissionTable {
  readonly operations: Readonly<Record<string, Permission>>;
  readonly types: Readonly<Record<string, TypePermission>>;
}

/**
 * Returns the permission of an operation.
 * @throws Error if the operation has no row, which `api/app/permissions.ts` prevents at startup
 */
export function getPermission({ operations }: PermissionTable, name: string): Permission {
  const permission = operations[name];
  if (!permission) throw new Error(`${name} has no permission`);
  return permission;
}

/**
 * Checks that a caller may use an operation.
 * @param names names of the operation; a route is also known by the GraphQL operation whose row it shares
 * @param ownerId account whose data the caller requests, if known. Of their account, admins see without a staff role what
 * everyone sees, such as their sessions.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN, with the reason VIEW_ONLY, SET_UP_TWO_STEP, SESSION_ONLY or
 * SCOPE_MISSING; STEP_UP_REQUIRED without a recent proof of identity
 */
export function authorize(
  permission: Permission,
  names: readonly string[],
  actor: Actor | null,
  ownerId?: string,
): void {
  if (actor?.viewerId !== undefined && isClosedToViewers(permission, names))
    throw new AppError("FORBIDDEN", { message: VIEW_ONLY, reason: "VIEW_ONLY" });
  requireAudience(permission.audience, actor);
  const isOwn = permission.audience === "signedIn" && ownerId !== undefined && ownerId === actor?.userId;
  if (permission.roles && !isOwn) requireStaffRole(permission.roles, actor);
  requireScopes([permission.scope], actor);
  requireSafeguards(permission.harm ?? "none", actor);
}

/** Returns whether an admin viewing the portal as a customer may not use the operation (decision 0035). */
export function isClosedToViewers({ viewers }: Permission, names: readonly string[]): boolean {
  return viewers ? viewers === "refused" : names.some(isChange);
}

/** Returns whether an operation, by its name, changes something or is sent as a change: a mutation, or a route other than GET. */
export function isChange(name: string): boolean {
  return /^(Mutation\.|(?!GET )[A-Z]+ )/.test(name);
}
