import { VIEW_ONLY } from "#schema/error-codes.ts";
import { admit, type Audience } from "./audience.ts";
import type { Actor } from "./context.ts";
import { AppError } from "./errors.ts";
import { refuseBeyondScopes, type ScopeRule } from "./token-scopes.ts";

/** Says who may use one operation: a root field, a nested field or a route. */
export interface Permission {
  readonly audience: Audience;
  /** What a personal access token needs. */
  readonly scope: ScopeRule;
  /** Set where an admin viewing the portal as a customer is not simply allowed to read and refused to change. */
  readonly viewers?: "allowed" | "refused";
}

/** Says who may see the plain fields of a type. */
export interface TypePermission {
  /** Bounds the audience of every field that leads to the type. */
  readonly audience: Audience;
  /** The operation whose scope a token needs to read more than the id of what a mutation returns. */
  readonly readThrough?: string;
}

/** Every permission of the product: operations by name (`Query.users`, `User.contacts`, `POST /v1/licence/lease`) and types. */
export interface PermissionTable {
  readonly operations: Readonly<Record<string, Permission>>;
  readonly types: Readonly<Record<string, TypePermission>>;
}

/**
 * Returns the row of an operation.
 * @throws Error without one, which `api/app/check-permissions.ts` reports at the start
 */
export function permissionOf({ operations }: PermissionTable, name: string): Permission {
  const permission = operations[name];
  if (!permission) throw new Error(`${name} has no permission`);
  return permission;
}

/**
 * Lets a caller use an operation.
 * @param names its names: a route has its own and the one of the GraphQL operation it shares a row with
 * @throws AppError UNAUTHENTICATED or FORBIDDEN, with the reason VIEW_ONLY, SET_UP_TWO_STEP, SESSION_ONLY or SCOPE_MISSING
 */
export function authorize(permission: Permission, names: readonly string[], actor: Actor | null): void {
  if (actor?.viewerId !== undefined && isClosedToViewers(permission, names))
    throw new AppError("FORBIDDEN", { message: VIEW_ONLY, reason: "VIEW_ONLY" });
  admit(permission.audience, actor);
  refuseBeyondScopes([permission.scope], actor);
}

/** Whether an admin viewing the portal as a customer is refused the operation (decision 0035). */
export function isClosedToViewers({ viewers }: Permission, names: readonly string[]): boolean {
  return viewers ? viewers === "refused" : names.some((name) => /^(Mutation\.|(?!GET )[A-Z]+ )/.test(name));
}
